import Glibc
import Script
import TestSupport
import Testing

extension Scratch {
  /// The folder as a project's.
  fileprivate func files(script: String = "bot.lua", _ cache: FileCache = FileCache()) -> ScriptFiles {
    ScriptFiles(project: folder, script: path(script), cache: cache)
  }
}

struct ScriptFilesTests {
  @Test func `what is no file is not read, and nobody waits for it`() throws {
    let project = Scratch()
    mkfifo(project.folder + "/fifo", 0o600)
    #expect(ScriptFiles.read(project.folder + "/fifo") == nil)
    #expect(throws: ScriptError.self) { try project.files().text("fifo") }
    #expect(ScriptFiles.read("/dev/zero") == nil && ScriptFiles.read(project.folder) == nil)
  }

  @Test func `all scripts of a run see what a file held at first`() throws {
    let project = Scratch()
    write(Array("one".utf8), to: project.path("text"))
    write(Array("return 1".utf8), to: project.path("shop.lua"))
    let cache = FileCache()
    #expect(try project.files(cache).text("text") == "one")
    #expect(try project.files(cache).module("shop").source == "return 1")
    write(Array("two".utf8), to: project.path("text"))
    write(Array("return 2".utf8), to: project.path("shop.lua"))
    #expect(try project.files(script: "other.lua", cache).text("text") == "one")
    #expect(try project.files(script: "other.lua", cache).module("shop").source == "return 1")
    #expect(try project.files().text("text") == "two")
  }

  @Test func `a file that was not there is looked for again`() throws {
    let project = Scratch()
    let files = project.files()
    #expect(throws: ScriptError.self) { try files.text("text") }
    write(Array("late".utf8), to: project.path("text"))
    #expect(try files.text("text") == "late")
  }

  @Test(arguments: [[0xCF, 0xF0, 0xE8], [0x61, 0xFF], [0xC3], [0xED, 0xA0, 0x80]] as [[UInt8]])
  func `a file in another encoding is refused by name, never altered`(bytes: [UInt8]) throws {
    let project = Scratch()
    write(bytes, to: project.path("text"))
    write(bytes, to: project.path("shop.lua"))
    let text = #expect(throws: ScriptError.self) { try project.files().text("text") }
    #expect(text?.code == "not_utf8")
    #expect(text?.message == "read: the file \"text\" is not in UTF-8; save it so, as by iconv -t UTF-8")
    let module = #expect(throws: ScriptError.self) { try project.files().module("shop") }
    #expect(module?.code == "not_utf8")
    #expect(
      module?.message.hasPrefix("require: the file \"\(project.folder)/shop.lua\" is not in UTF-8") == true)
  }

  @Test func `a text comes as it stands, whatever it holds`() throws {
    let project = Scratch()
    let text = "\u{FEFF}Привет\r\n\u{0}😀"
    write(Array(text.utf8), to: project.path("text"))
    #expect(Array(try project.files().text("text").utf8) == Array(text.utf8))
  }
}
