/// The words that a kind of object answers to in Lua.
struct Vocabulary {
  /// Called with a colon. The value says which members the table that ends a call may have, where that is known.
  var methods: [String: Set<String>?] = [:]
  var fields: Set<String> = []

  var all: [String] { methods.keys + Array(fields) }
}

/// All words of the Lua API, from the tables that the scripts' own side is made of.
struct Vocabularies {
  var visitor = Vocabulary()
  var chat = Vocabulary()
  var desk = Vocabulary()
  var visitant = Vocabulary()
  /// What a bot's table may hold beside handlers.
  var botKeys: Set<String> = []
  /// With `on_` in front.
  var handlers: Set<String> = []
  var filterKeys: Set<String> = []
  var chatStates: Set<String> = []
}
