import Testing

/// What `visitant run` refuses before anybody is visited, on the built binary.
struct RunUsageTests {
  private static let bot = "return function(visitor) end"

  @Test(arguments: [
    (["--account", "http://user:secret@127.0.0.1:1"], "user and password"),
    (["--account", "ftp://example.invalid"], "http:// or https://"),
    (["--account", "http://"], "host"),
    (["--account", "http://127.0.0.1:99999"], "port"),
    (["--account", "http://127.0.0.1:1", "--desk", "bot.lua"], "--desk"),
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
