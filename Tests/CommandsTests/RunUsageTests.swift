import Glibc
import JSON
import TestSupport
import Testing

/// What `visitant run` refuses before anybody is visited, on the built binary.
struct RunUsageTests {
  private static let bot = "return function(visitor) end"

  @Test(arguments: [
    (["--account", "http://user:secret@127.0.0.1:1"], "user and password"),
    (["--account", "ftp://example.invalid"], "http:// or https://"),
    (["--account", "http://"], "host"),
    (["--account", "http://127.0.0.1:99999"], "port"),
    (["--account", "http://example.invalid?x"], "path"),
    (["--account", "http://example.invalid/a#b"], "path"),
    (["--account", "http://[::1"], "host"),
    (["--account", "http://[]:80"], "host"),
    (["--account", "http://exa mple"], "host"),
    (["--account", "http://127.0.0.1:+80"], "port"),
    (["--account", "http://127.0.0.1:1", "--desk", "bot.lua"], "--desk"),
    (["--store", "--resume"], "missing before --resume"),
    (["--header", "--trace"], "--header=VALUE"),
    (["--virtual-time"], "later version"),
    (["--sdk-checks"], "later version"),
    (["--header", "Content-Length: 3"], "Content-Length"),
    (["--header", "no colon"], "a colon"),
    (["--visitor-fields", "bot.lua"], "no JSON object"),
    (["--memory-per-visitor", "1K"], "128K"),
    (["--time-limit", "0s"], "longer than nothing"),
    (["--no-store", "--resume"], "--resume"),
    (["--dialect", "roxchat"], "later version"),
    (["--visitros", "3"], "--visitors"),
    (["missing.lua"], "missing.lua"),
  ])
  func `wrong usage is status 2 and names the object`(words: [String], said: String) async throws {
    let result = try await onOwnThread {
      let folder = Scratch()
      write(Array(Self.bot.utf8), to: folder.path("bot.lua"))
      return try Binary(["run", "bot.lua"] + words, in: folder).result()
    }
    #expect(result.status == 2)
    #expect(result.diagnostics.contains(said), "\(result.diagnostics)")
    #expect(!result.diagnostics.contains("secret"))
    #expect(result.output.isEmpty)
  }

  @Test(arguments: [
    ("return function(visitor", 107), ("return 5", 107),
    ("return function(visitor) visitor:sai('x') end", 107),
    ("return function(visitor) visitor:expect_message{ within = 0.1 } end", 1),
    ("return function(visitor) visitor:rate_operator(5) end", 1),
    ("return function(visitor) visitor:log('fine') end", 0),
  ])
  func `the end of a run is told by its status`(bot: String, status: Int32) async throws {
    let result = try await onOwnThread {
      let folder = Scratch()
      write(Array(bot.utf8), to: folder.path("bot.lua"))
      return try Binary(["run", "bot.lua", "--no-store"], in: folder).result()
    }
    #expect(result.status == status, "\(result.output)\(result.diagnostics)")
  }

  @Test(arguments: [["run", "bot.lua", "--no-store", "--desk"], ["serve", "--for", "200ms"]])
  func `a desk sees what the options allow`(words: [String]) async throws {
    let desk = "return function(desk) assert(visitant.env('SHOP') == 'corner') end"
    let result = try await onOwnThread {
      let folder = Scratch()
      write(Array("return function(visitor) visitor:sleep(0.2) end".utf8), to: folder.path("bot.lua"))
      write(Array(desk.utf8), to: folder.path("desk.lua"))
      let said = words + ["desk.lua", "--allow-env", "SHOP"]
      return try Binary(said, in: folder, environment: ["SHOP": "corner"]).result()
    }
    #expect(result.status == 0, "\(result.diagnostics)")
  }

  @Test(arguments: ["pretty", "json", "quiet"])
  func `a huge error is not printed whole`(format: String) async throws {
    let result = try await onOwnThread {
      let folder = Scratch()
      write(Array("return function() error(('x'):rep(1e6)) end".utf8), to: folder.path("bot.lua"))
      return try Binary(["run", "bot.lua", "--no-store", "--format", format], in: folder).result()
    }
    #expect(result.status == 107)
    #expect((result.output + result.diagnostics).contains("more bytes)"))
    #expect((result.output + result.diagnostics).utf8.count < 20_000)
  }

  @Test(arguments: [
    ["run", "bot.lua"], ["run", "--desk", "bot.lua", "good.lua"], ["check", "bot.lua"], ["serve", "bot.lua"],
  ])
  func `compiled Lua is refused by its name`(words: [String]) async throws {
    let result = try await onOwnThread {
      let folder = Scratch()
      write(Array("\u{1B}LuaT".utf8), to: folder.path("bot.lua"))
      write(Array(Self.bot.utf8), to: folder.path("good.lua"))
      return try Binary(words, in: folder).result()
    }
    #expect(result.status == (words[0] == "check" ? 1 : 107))
    let said = result.output + result.diagnostics
    #expect(said.contains("bot.lua:") && said.contains("bytecode"), "\(said)")
  }

  @Test func `a file without an end is status 2`() async throws {
    let result = try await onOwnThread { try Binary.run("check", "/dev/zero", in: Scratch()) }
    #expect(result.status == 2)
    #expect(result.diagnostics.contains("/dev/zero: longer than 64 MiB"), "\(result.diagnostics)")
  }

  /// What a project's file and a command line say, and what comes of it.
  @Test(arguments: [
    ("no_store = true", ["--store", "kept.db"], 0, "", true),
    ("no_store = true", ["--store", "kept.db", "--resume"], 0, "", true),
    ("no_store = true", ["--resume"], 0, "", false),
    ("store = 'kept.db'", ["--no-store"], 0, "", false),
    ("store = 'kept.db', resume = true", ["--no-store"], 0, "", false),
    ("store = 'kept.db', no_store = true", [], 2, "one of them", false),
    ("resume = true, no_store = true", [], 2, "--resume", false),
    ("account = 'http://127.0.0.1:1'", ["--desk", "desk.lua", "--no-store"], 0, "", false),
    ("desk = 'missing.lua'", ["--account", "http://127.0.0.1:1", "--connect-time", "100ms"], 3, "", false),
    ("auth_token = 'token'", ["--visitor-fields", "fields.json", "--no-store"], 0, "", false),
    ("visitor_fields = 'missing.json'", ["--auth-token", "token", "--no-store"], 0, "", false),
    ("auth_token = 'token', visitor_fields = 'fields.json'", ["--no-store"], 2, "one of them", false),
    ("time_limit = 90, within = 1.5, grace = 0", ["--no-store"], 0, "", false),
    ("time_limit = -1", ["--no-store"], 2, "--time-limit -1s", false),
    ("visitors = 1.5", ["--no-store"], 2, "--visitors 1.5", false),
    ("virtual_time = true", ["--no-store"], 2, "later version", false),
  ])
  func `a flag wins over what the project's file says against it`(
    settings: String, words: [String], status: Int32, said: String, isKept: Bool
  ) async throws {
    let (result, files) = try await onOwnThread {
      let folder = Scratch()
      write(Array(Self.bot.utf8), to: folder.path("bot.lua"))
      write(Array("return function(desk) end".utf8), to: folder.path("desk.lua"))
      write(Array(#"{"fields":{"id":"u1"},"hash":"h"}"#.utf8), to: folder.path("fields.json"))
      write(Array("return { \(settings) }".utf8), to: folder.path("visitant.lua"))
      return (try Binary(["run", "bot.lua"] + words, in: folder).result(), names(in: folder.folder))
    }
    #expect(result.status == status, "\(result.output)\(result.diagnostics)")
    #expect(result.diagnostics.contains(said), "\(result.diagnostics)")
    #expect(files.contains("kept.db") == isKept)
  }

  @Test(arguments: [
    (["a.lua", "a.lua", "a-2.lua"], ["a", "a-2", "a-2-2"]),
    (["a-2.lua", "a.lua", "a.lua", "a.lua"], ["a", "a-2", "a-3", "a-4"]),
    (["a.lua", "a-2.lua", "--visitors", "2"], ["a-1", "a-2", "a-2-1", "a-2-2"]),
    (["a.lua", "a-2.lua", "--visitor", "eve"], ["eve-1", "eve-2"]),
    (["a.lua", "--visitor", "eve"], ["eve"]),
  ])
  func `each visitor of a run has a name of its own`(words: [String], expected: [String]) async throws {
    let result = try await onOwnThread {
      let folder = Scratch()
      for name in ["a.lua", "a-2.lua"] { write(Array(Self.bot.utf8), to: folder.path(name)) }
      return try Binary(["run"] + words + ["--no-store", "--format", "json"], in: folder).result()
    }
    var names: [String] = []
    for line in result.output.split(separator: "\n") {
      let node = try JSONNode(parsing: String(line))
      if node["type"]?.string == "stop" { names.append(node["visitor"]?.string ?? "") }
    }
    #expect(names.sorted() == expected)
  }

  /// Output that nobody takes makes the main thread stand still in the middle of whatever it does.
  @Test(arguments: [
    ["run", "loud_visitor.lua", "--no-store", "--format", "json"], ["serve", "loud_desk.lua"],
  ])
  func `a second interrupt leaves at once, whatever stands still`(words: [String]) async throws {
    let result = try await onOwnThread {
      let folder = Scratch()
      for who in ["visitor", "desk"] {
        let loud = "return function(\(who)) for _ = 1, 200 do \(who):log(('x'):rep(1000)) end end"
        write(Array(loud.utf8), to: folder.path("loud_\(who).lua"))
      }
      mkfifo(folder.path("pipe"), 0o600)
      let pipe = open(folder.path("pipe"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
      defer { close(pipe) }
      let binary = try Binary(words, in: folder, output: folder.path("pipe"))
      var room = pollfd(fd: pipe, events: Int16(POLLOUT), revents: 0)
      for _ in 0..<1_000 where poll(&room, 1, 0) == 1 {
        var nothing = pollfd()
        poll(&nothing, 0, 10)
      }
      try #require(room.revents == 0, "the pipe is full")
      // Two that come before the process has run again are one to it: the second goes once the first is taken.
      binary.interrupt()
      for _ in 0..<1_000 where Self.isPending(SIGINT, in: binary.process) {
        var nothing = pollfd()
        poll(&nothing, 0, 10)
      }
      binary.interrupt()
      for _ in 0..<1_000 where binary.poll() == nil {
        var nothing = pollfd()
        poll(&nothing, 0, 10)
      }
      binary.kill()
      return binary.result()
    }
    #expect(result.status == 130)
  }

  /// Whether a signal to a process has not been taken yet.
  private static func isPending(_ signal: Int32, in process: pid_t) -> Bool {
    let status = String(decoding: contents(of: "/proc/\(process)/status"), as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix("ShdPnd:") }
    let pending = line.flatMap { UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16) } ?? 0
    return pending & (1 << UInt64(signal - 1)) != 0
  }

  @Test func `a process that may open no files says so`() async throws {
    let result = try await onOwnThread {
      let folder = Scratch()
      write(Array(Self.bot.utf8), to: folder.path("bot.lua"))
      return try Binary(["run", "bot.lua", "--no-store"], in: folder, under: ["prlimit", "--nofile=4:4"])
        .result()
    }
    #expect(result.status == 5)
    #expect(result.diagnostics.contains("no pipe"), "\(result.diagnostics)")
  }

  @Test func `a service that nobody can reach is status 3 and named`() async throws {
    let result = try await onOwnThread {
      let folder = Scratch()
      write(Array(Self.bot.utf8), to: folder.path("bot.lua"))
      return try Binary(
        ["run", "bot.lua", "--account", "http://127.0.0.1:1", "--connect-time", "1s", "--no-store"],
        in: folder
      ).result()
    }
    #expect(result.status == 3)
    #expect(result.output.contains("127.0.0.1"))
  }

  @Test func `output that is lost is status 5`() async throws {
    let result = try await onOwnThread {
      let folder = Scratch()
      return try Binary(["help", "run"], in: folder, output: "/dev/full").result()
    }
    #expect(result.status == 5)
    #expect(result.diagnostics.contains("output was lost"))
  }

  @Test func `a taken port is status 5`() async throws {
    let (first, second) = try await onOwnThread {
      let folder = Scratch()
      let other = Scratch()
      let server = try Binary(["serve", "--format", "json", "--for", "2m"], in: folder)
      let url = try KillTests.url(of: folder)
      let port = url.split(separator: ":").last.map(String.init) ?? ""
      let second = try Binary(["serve", "--port", port, "--for", "1s"], in: other).result()
      server.interrupt()
      return (server.result(), second)
    }
    #expect(first.status == 130)
    #expect(second.status == 5)
    #expect(second.diagnostics.contains("cannot listen"))
  }
}
