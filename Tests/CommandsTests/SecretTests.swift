import Glibc
import TestSupport
import Testing

/// What must not stay in the files of a store.
struct SecretTests {
  @Test func `signed fields stand in no byte of a store, and a killed visit has them again`() async throws {
    let fields = #"{"fields":{"id":"u1","phone":"SECRETPHONE","name":"SECRETNAME"},"hash":"SECRETHASH"}"#
    let bot = """
      return function(visitor)
        visitor:say("one")
        visitor:sleep(#visitor.name / 100)
        visitor:sleep(#visitor.fields.phone / 100)
        visitor:log("waits")
        for _ = 1, 600 do
          visitor:sleep(0.05)
          if visitor.resumed then return visitor:log("goes on") end
        end
      end
      """
    let (kept, result) = try await onOwnThread {
      let (service, folder) = (Scratch(), Scratch())
      write(Array(bot.utf8), to: folder.path("bot.lua"))
      write(Array(fields.utf8), to: folder.path("fields.json"))
      let desk = try Binary(["serve", "--format", "json", "--for", "2m"], in: service)
      defer { desk.kill() }
      let words = [
        "run", "bot.lua", "--account", try KillTests.url(of: service), "--store", "kept.db",
        "--visitor-fields",
        "fields.json", "--format", "json",
      ]
      let visit = try Binary(words, in: folder)
      for _ in 0..<2_000
      where !String(decoding: contents(of: folder.path("stdout")), as: UTF8.self)
        .contains("waits")
      {
        var nothing = pollfd()
        poll(&nothing, 0, 10)
      }
      visit.kill()
      let files = names(in: folder.folder).filter { $0.hasPrefix("kept.db") }
      let kept = files.map { String(decoding: contents(of: folder.path($0)), as: UTF8.self) }.joined()
      return (kept, try Binary(words + ["--resume"], in: folder).result())
    }
    #expect(kept.contains("journal") && kept.contains("hidden"))
    #expect(!kept.contains("SECRET"))
    #expect(result.status == 0, "\(result.output)\(result.diagnostics)")
    #expect(result.output.contains("goes on"))
  }
}
