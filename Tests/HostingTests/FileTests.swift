import Glibc
import Hosting
import Script
import TestSupport
import Testing
import Transport

/// Files as bots get them.
struct FileTests {
  /// Runs a bot beside files; what it logged.
  private static func logs(_ bot: String, beside files: [String: [UInt8]]) throws -> [String] {
    let scratch = Scratch()
    for (name, bytes) in files { write(bytes, to: scratch.path(name)) }
    let stage = try Stage()
    stage.access = ScriptAccess(readable: [scratch.folder])
    var spec = Stage.spec(bot.replacing("FOLDER", with: scratch.folder))
    spec.bot.name = scratch.path("bot.lua")
    stage.visit(spec)
    stage.run()
    #expect(stage.outcomes[1] == .finished)
    return stage.logs
  }

  @Test(arguments: [
    ("visitant.read('FOLDER/t.txt')", "t.txt"), ("require('t')", "t.lua"),
    ("visitant.csv('FOLDER/t.csv')", "t.csv"),
  ])
  func `a text in another encoding is refused, not altered`(call: String, name: String) throws {
    let cyrillic: [UInt8] = Array("return 'a,b".utf8) + [0xEF, 0xF0, 0xE8] + Array("'\n".utf8)
    let logs = try Self.logs(
      "return function(visitor) local ok, error = pcall(function() return \(call) end)"
        + " visitor:log(tostring(ok) .. tostring(error)) end", beside: [name: cyrillic])
    let said = try #require(logs.first)
    #expect(said.hasPrefix("false") && said.contains(name) && said.contains("iconv"), "\(said)")
  }

  @Test(arguments: ["\u{FEFF}", "\u{FEFF}#!/usr/bin/env lua\n", "#!/usr/bin/env lua\n", ""])
  func `a module begins as a bot may`(front: String) throws {
    let module = Array((front + "return { line = debug == nil and 'fine' }").utf8)
    let logs = try Self.logs(
      "return function(visitor) visitor:log(require('m').line) end", beside: ["m.lua": module])
    #expect(logs == ["fine"])
  }
}
