import Glibc
import Script
import Testing

/// A project's folder with a module and a text.
private final class Project {
  let folder: String

  init() throws {
    var template = Array("/tmp/visitant-script-XXXXXX".utf8CString)
    folder = String(cString: try #require(mkdtemp(&template)))
  }

  deinit {
    for name in ["fifo", "text", "shop.lua"] { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let file = try #require(fopen("\(folder)/\(name)", "w"))
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  func files(script: String = "bot.lua", _ cache: FileCache = FileCache()) -> ScriptFiles {
    ScriptFiles(project: folder, script: "\(folder)/\(script)", cache: cache)
  }
}

struct ScriptFilesTests {
  @Test func `what is no file is not read, and nobody waits for it`() throws {
    let project = try Project()
    mkfifo(project.folder + "/fifo", 0o600)
    #expect(ScriptFiles.read(project.folder + "/fifo") == nil)
    #expect(throws: ScriptError.self) { try project.files().text("fifo") }
    #expect(ScriptFiles.read("/dev/zero") == nil && ScriptFiles.read(project.folder) == nil)
  }

  @Test func `all scripts of a run see what a file held at first`() throws {
    let project = try Project()
    try project.write("text", Array("one".utf8))
    try project.write("shop.lua", Array("return 1".utf8))
    let cache = FileCache()
    #expect(try project.files(cache).text("text") == "one")
    #expect(try project.files(cache).module("shop").source == "return 1")
    try project.write("text", Array("two".utf8))
    try project.write("shop.lua", Array("return 2".utf8))
    #expect(try project.files(script: "other.lua", cache).text("text") == "one")
    #expect(try project.files(script: "other.lua", cache).module("shop").source == "return 1")
    #expect(try project.files().text("text") == "two")
  }

  @Test func `a file that was not there is looked for again`() throws {
    let project = try Project()
    let files = project.files()
    #expect(throws: ScriptError.self) { try files.text("text") }
    try project.write("text", Array("late".utf8))
    #expect(try files.text("text") == "late")
  }

  @Test(arguments: [[0xCF, 0xF0, 0xE8], [0x61, 0xFF], [0xC3], [0xED, 0xA0, 0x80]] as [[UInt8]])
  func `a file in another encoding is refused by name, never altered`(bytes: [UInt8]) throws {
    let project = try Project()
    try project.write("text", bytes)
    try project.write("shop.lua", bytes)
    let text = #expect(throws: ScriptError.self) { try project.files().text("text") }
    #expect(text?.code == "not_utf8")
    #expect(text?.message == "read: the file \"text\" is not in UTF-8; save it so, as by iconv -t UTF-8")
    let module = #expect(throws: ScriptError.self) { try project.files().module("shop") }
    #expect(module?.code == "not_utf8")
    #expect(
      module?.message.hasPrefix("require: the file \"\(project.folder)/shop.lua\" is not in UTF-8") == true)
  }

  @Test func `a text comes as it stands, whatever it holds`() throws {
    let project = try Project()
    let text = "\u{FEFF}Привет\r\n\u{0}😀"
    try project.write("text", Array(text.utf8))
    #expect(Array(try project.files().text("text").utf8) == Array(text.utf8))
  }
}
