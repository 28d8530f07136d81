import Lua
import TestSupport
import Testing

struct ValueTests {
  // MARK: - JSON for scripts

  @Test(arguments: [
    ("{}", "{}"), ("host.array()", "[]"), ("host.array{1, 2}", "[1,2]"),
    ("{1, 2.0, 2.5, -0.0}", "[1,2.0,2.5,-0.0]"),
    ("{b = 1, a = 2, [''] = 3}", #"{"":3,"a":2,"b":1}"#), ("{1, nil, 3}", "[1,null,3]"),
    ("0.1", "0.1"), ("1e100", "1e+100"), ("1/3", "0.3333333333333333"),
    ("math.mininteger", "-9223372036854775808"),
    ("2^53", "9007199254740992.0"), ("5e-324", "4.94065645841247e-324"), ("true", "true"), ("nil", "null"),
    (#""\0\1\b\f\n\r\t\"\\/\127""#, #""\u0000\u0001\b\f\n\r\t\"\\/\#u{7f}""#),
    (#""é€😀""#, #""é€😀""#),
    (#""\255a\xC0\x80\xED\xA0\x80""#, #""\#u{FFFD}a\#u{FFFD}\#u{FFFD}\#u{FFFD}\#u{FFFD}\#u{FFFD}""#),
    (#""\xF4\x90\x80\x80""#, #""\#u{FFFD}\#u{FFFD}\#u{FFFD}\#u{FFFD}""#),
    (#""\xE2\x82""#, #""\#u{FFFD}\#u{FFFD}""#),
    ("host.json_decode('[]')", "[]"), ("host.json_decode('{}')", "{}"),
    ("host.json_decode('[[],{}]')", "[[],{}]"),
    ("setmetatable({1}, {__mode = 'v'})", "[1]"), ("setmetatable({x = 1}, {__index = {y = 2}})", #"{"x":1}"#),
    ("string", nil), ("print", nil), ("{[1.5] = 1}", nil), ("{[true] = 1}", nil), ("{1, x = 1}", nil),
    ("1/0", nil),
    ("{[1000] = 1}", nil), ("{[0] = 1}", nil), ("{[-1] = 1}", nil),
  ])
  func `values are written as JSON`(expression: String, expected: String?) throws {
    let outcome = try Scripted().run(
      "local text = host.json_encode(\(expression)) return text == ... or text",
      arguments: json([expected ?? ""]))
    #expect(outcome.values == expected.map { _ in "[true]" })
  }

  @Test(arguments: [
    ("[1, -0, 1.0, 1E2, -1.5e-1]", "[1,-0.0,1.0,100.0,-0.15]"),
    (
      "[9223372036854775807, 9223372036854775808, -9223372036854775808, -9223372036854775809]",
      "[9223372036854775807,9.223372036854776e+18,-9223372036854775808,-9.223372036854776e+18]"
    ),
    (#" { "a" : [ true , false , null , { } ] } "#, #"{"a":[true,false,null,{}]}"#),
    (#""\u00e9\ud83d\ude00\u0000\/""#, #""é😀\u0000/""#),
    (#""\ud83d""#, "\"\u{FFFD}\""), (#""\ude00\ud83dx""#, "\"\u{FFFD}\u{FFFD}x\""),
    (#""\ud83d\u0041""#, "\"\u{FFFD}A\""),
    (#"{"a":1,"a":2}"#, #"{"a":2}"#), (#"{"a":null}"#, "{}"), ("[null]", "[]"),
    ("1e999", nil),
  ])
  func `JSON is read`(text: String, expected: String?) throws {
    let outcome = try Scripted().run(
      "local v = host.json_decode(...) return host.json_encode(v)", arguments: json([text]))
    #expect(outcome.values == expected.map { json([$0]) })
  }

  @Test(arguments: [
    "", " ", "[", "]", "{", "}", "[1", "[1,", "[1,]", "{\"a\"", "{\"a\":", "{\"a\":1,", "{\"a\":1,}", "{a:1}",
    "{1:1}",
    "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\u{1}\"", "01", "-", "1.", ".5", "1e", "+1",
    "0x1", "nul",
    "truee", "1 2", "[1] x", "nan", "'a'", "[1 2]", "{\"a\" 1}",
    String(repeating: "[", count: 101) + String(repeating: "]", count: 101),
    String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
  ])
  func `what is no JSON is refused`(text: String) throws {
    let outcome = try Scripted().run(
      "local ok, e = pcall(host.json_decode, ...) return ok, e:match('^JSON, byte %d+: ')",
      arguments: json([text]).replacing("\u{1}", with: "\\u0001"))
    #expect(outcome.values?.hasPrefix("[false,\"JSON, byte ") == true)
  }

  @Test(arguments: 0..<50)
  func `random values survive the way there and back`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let machine = try Scripted()
    for _ in 0..<20 {
      let text = "[\(randomJSON(&random, depth: 0))]"
      let crossed = try machine.run("return ...", arguments: text)
      #expect(crossed.values == text)
      let again = try machine.run(
        "return host.json_decode(host.json_encode({...}))[1]", arguments: text)
      #expect(again.values == text || text.hasPrefix("[null"))
    }
  }

  @Test(arguments: 0..<20)
  func `garbage for JSON never does harm`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let machine = try Scripted()
    let function = try machine.state.load(Array("return ...".utf8), name: "bot.lua")
    for _ in 0..<200 {
      var text = Array("[\(randomJSON(&random, depth: 0))]".utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        text[place] = UInt8.random(in: 0...255, using: &random)
      }
      _ = machine.state.start(function, text)
    }
    #expect(try machine.run("return 1").values == "[1]")
  }

  private func randomJSON(_ random: inout SeededGenerator, depth: Int) -> String {
    switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &random) {
    case 0: return "true"
    case 1: return "\(Int.random(in: Int.min...Int.max, using: &random))"
    case 2: return "\(Int.random(in: -9...9, using: &random)).5"
    case 3: return "false"
    case 4:
      return
        "\"\(["", "a", "é", "\\u0000", "\\n", "\\\"", "😀", "\\\\"].randomElement(using: &random) ?? "")x\""
    case 5: return "[]"
    case 6:
      let count = Int.random(in: 1...4, using: &random)
      return "[\((0..<count).map { _ in randomJSON(&random, depth: depth + 1) }.joined(separator: ","))]"
    default:
      let keys = ["a", "b", "c d", "é"].prefix(Int.random(in: 0...4, using: &random))
      let members = keys.map { "\"\($0)\":\(randomJSON(&random, depth: depth + 1))" }
      return "{\(members.joined(separator: ","))}"
    }
  }

  // MARK: - Values of the prelude

  private func kept(_ script: String, label: String = "visitor.state") throws -> String {
    let machine = try Scripted()
    if let error = try machine.run("local s = host.prelude.state\n\(script)").error { throw error }
    return try machine.state.serialize(preludeValue: "state", label: label).map {
      String(decoding: $0, as: UTF8.self)
    } ?? ""
  }

  @Test func `a value is written once, until it changes`() throws {
    let machine = try Scripted()
    func text() throws -> String? {
      try machine.state.serialize(preludeValue: "state").map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(try text() == "{}")
    #expect(try text() == nil)
    #expect(try machine.run("host.prelude.state.cart = {'a', {n = 1}}").error == nil)
    #expect(try text() == #"{"cart":["a",{"n":1}]}"#)
    #expect(try machine.run("host.prelude.state.cart[2].n = 1").error == nil)
    #expect(try text() == nil)
    #expect(try machine.run("host.prelude.state = nil").error == nil)
    #expect(try text() == "null")
  }

  @Test(arguments: [
    ("s.cart = {1, print}", "visitor.state.cart[2]: a function cannot be kept"),
    ("s.a = {} s.a.b = {} s.a.b.c = s", "visitor.state.a.b.c: a table inside itself cannot be kept"),
    (
      "s['odd key'] = {[1] = 0/0}",
      "visitor.state[\"odd key\"][1]: a number that is none (nan) cannot be kept"
    ),
    ("s.x = -1/0", "visitor.state.x: an infinite number cannot be kept"),
    (
      "s.x = {1, 2, a = 3}",
      "visitor.state.x: a table that is a list and has named members too cannot be kept"
    ),
    ("s.x = {1, nil, 3}", "visitor.state.x: a list with holes cannot be kept"),
    (
      "s[true] = 1",
      "visitor.state: a table with a key that is neither a string nor a place in a list cannot be kept"
    ),
    ("s.x = coroutine.create(print)", "visitor.state.x: a coroutine cannot be kept"),
    (
      "local t = s for i = 1, 101 do t.x = {} t = t.x end",
      "visitor.state.x.x.x.x: a table nested over 100 deep cannot be kept"
    ),
  ])
  func `what cannot be kept is named by its path`(script: String, complaint: String) throws {
    let error = #expect(throws: LuaError.self) { try kept(script) }
    #expect(error?.message == complaint)
  }

  @Test func `shared tables that blow up are refused, not written`() throws {
    let error = #expect(throws: LuaError.self) {
      try kept("local t = {'xxxxxxxxxxxxxxxx'} for i = 1, 60 do t = {t, t} end s.x = t")
    }
    #expect(
      error?.message.hasSuffix("the text would be larger than the memory budget") == true
        || error?.code == .budget)
  }

  @Test func `a value can be replaced, and merged into`() throws {
    let machine = try Scripted()
    try machine.state.assign(preludeValue: "state", Array(#"{"a":1,"b":{"c":2}}"#.utf8))
    #expect(try machine.run("local s = host.prelude.state return s.a, s.b.c").values == "[1,2]")
    #expect(try machine.run("keep = host.prelude.state").error == nil)
    try machine.state.assign(preludeValue: "state", Array(#"{"a":null,"b":3,"d":[]}"#.utf8), merge: true)
    #expect(
      try machine.run("return keep.a, keep.b, keep.d, keep == host.prelude.state").values
        == "[null,3,[],true]")
    try machine.state.assign(preludeValue: "fresh", Array(#"{"x":1}"#.utf8), merge: true)
    #expect(try machine.run("return host.prelude.fresh.x").values == "[1]")
    try machine.state.assign(preludeValue: "plain", Array("7".utf8))
    #expect(try machine.run("return host.prelude.plain").values == "[7]")
    #expect(throws: LuaError.self) { try machine.state.assign(preludeValue: "state", Array("{".utf8)) }
    #expect(throws: LuaError.self) {
      try machine.state.assign(preludeValue: "state", Array("7".utf8), merge: true)
    }
  }

  @Test func `merging reaches behind a read-only table`() throws {
    let machine = try Scripted()
    #expect(try machine.run("host.prelude.state.a = 1 host.freeze(host.prelude.state, 'state')").error == nil)
    try machine.state.assign(preludeValue: "state", Array(#"{"a":2}"#.utf8), merge: true)
    #expect(try machine.run("return host.prelude.state.a").values == "[2]")
  }

  // MARK: - Digests

  @Test(arguments: [
    ("host.sha256('')", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("host.sha256('abc')", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("host.sha256(('a'):rep(1000000))", "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    (
      "host.sha256('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "host.hmac_sha256('key', 'The quick brown fox jumps over the lazy dog')",
      "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
    ),
    (
      "host.hmac_sha256(('\\xaa'):rep(131), 'Test Using Larger Than Block-Size Key - Hash Key First')",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    ("host.hmac_sha256('', '')", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ("host.base64_encode('')", ""), ("host.base64_encode('f')", "Zg=="), ("host.base64_encode('fo')", "Zm8="),
    ("host.base64_encode('foo')", "Zm9v"), ("host.base64_encode('foobar')", "Zm9vYmFy"),
    ("host.base64_decode('Zm9vYmE=')", "fooba"), ("host.base64_decode('Zm9vYg')", "foob"),
    ("host.base64_decode(host.base64_encode('\\0\\1\\2')):byte(1, -1) == 0 and 'zero' or ''", "zero"),
    ("select(2, pcall(host.base64_decode, 'Z'))", "the text is no Base64"),
    ("select(2, pcall(host.base64_decode, 'Zm9v!A=='))", "the text is no Base64"),
    ("host.uuid():gsub('%x', 'x'):gsub('(.*)', '%1')", "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"),
    (
      "host.uuid():match('^........%-....%-4...%-[89ab]...%-............$') and 'version 4' or ''",
      "version 4"
    ),
  ])
  func `digests are what the standards say`(expression: String, expected: String) throws {
    #expect(try Scripted.result(of: "return (\(expression))") == json([expected]))
  }
}
