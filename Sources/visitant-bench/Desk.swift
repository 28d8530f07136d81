import Glibc
import Script

/// The rehearsal as a process of its own: `visitant serve`, which stands beside this program.
final class Desk {
  let url: String
  private let process: pid_t
  private let folder: String

  private static let script = """
    return function(desk)
      desk:operator{ id = "anna", name = "Anna" }
      desk:on_chat(function(chat)
        chat:accept("anna")
        while true do
          local message = chat:wait_message{ within = 600 }
          if not message then return end
          local count = message.text:match("^count (%d+)")
          for i = 1, tonumber(count) or 0 do
            chat:say("number " .. i)
            chat:sleep(0.001)
          end
          if not count then chat:say("pong") end
        end
      end)
    end
    """

  init() throws {
    var template = Array("/tmp/visitant-bench-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Crowd.Trouble(description: "no temporary folder") }
    folder = String(cString: made)
    let path = folder + "/desk.lua"
    guard let file = fopen(path, "w") else { throw Crowd.Trouble(description: "no temporary file") }
    fputs(Self.script, file)
    fclose(file)
    process = try Child.start(
      [Self.program, "serve", path, "--for", "10m", "--format", "quiet"], output: folder + "/out")
    var line = ""
    for _ in 0..<200 where line.isEmpty {
      usleep(50_000)
      let text = String(decoding: ScriptFiles.read(folder + "/out") ?? [], as: UTF8.self)
      if let end = text.firstIndex(of: "\n") { line = String(text[..<end]) }
    }
    guard line.hasPrefix("http") else { throw Crowd.Trouble(description: "visitant serve does not start") }
    url = line
  }

  func stop() {
    kill(process, SIGINT)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    for name in ["desk.lua", "out"] { unlink(folder + "/" + name) }
    rmdir(folder)
  }

  private static var program: String {
    let own = realpath("/proc/self/exe", nil)
    defer { free(own) }
    let path = own.map { String(cString: $0) } ?? ""
    return path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/visitant"
  }
}

/// wrk, the field's measure for a server and a machine.
enum Peer {
  /// nil when wrk is not installed.
  static func requestsPerProcessorSecond(url: String, connections: Int, seconds: Int) throws -> Double? {
    guard access("/usr/bin/wrk", X_OK) == 0 else { return nil }
    let before = Usage.childrensProcessorSeconds
    let output = "/tmp/visitant-bench-wrk-\(getpid())"
    defer { unlink(output) }
    let process = try Child.start(
      ["/usr/bin/wrk", "-t", "1", "-c", String(connections), "-d", "\(seconds)s", url], output: output)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    let used = Usage.childrensProcessorSeconds - before
    let text = String(decoding: ScriptFiles.read(output) ?? [], as: UTF8.self)
    guard let line = text.split(separator: "\n").first(where: { $0.contains("requests in") }),
      let count = line.split(separator: " ").first.flatMap({ Double($0) }), used > 0
    else { throw Crowd.Trouble(description: "wrk says nothing that can be read: \(text)") }
    return count / used
  }
}

/// A program that this one starts and waits for.
enum Child {
  static func start(_ words: [String], output: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    guard posix_spawn(&process, words[0], &actions, nil, &arguments, environ) == 0 else {
      throw Crowd.Trouble(description: "\(words[0]) does not start")
    }
    return process
  }
}
