-- The objects `desk` and `chat`. The host gives their words, fields and events; an error ends one play only.

local desk_names, chat_names = ...
local shared = host.prelude
local call, words, running = shared.call, shared.words, coroutine.running
local expect_names, expect_no_places = shared.expect_names, shared.expect_no_places
local desk, chats = {}, {}

local function set(list)
  local known = {}
  for _, name in ipairs(list) do known[name] = true end
  return known
end

-- MARK: Plays and their ends

-- Tells the host what ended a play; that the visitor has ended the chat is no failure.
local function report(subject, problem)
  local text, source, line = tostring(problem), nil, nil
  if type(problem) == "table" then
    if problem.code == "chat_over" then return end
    text, source, line = problem.message or text, problem.source, problem.line
  else
    local name, number, rest = text:match("^(.-):(%d+): (.*)$")
    if name then text, source, line = rest, name, math.tointeger(number) end
  end
  call("play_failed", subject, text, { source = source, line = line })
end

-- How many coroutines play a chat, and which chat a coroutine plays. The host hears of the end of the last one.
local plays, played_by = {}, setmetatable({}, { __mode = "k" })

local function play(subject, f, ...)
  plays[subject] = (plays[subject] or 0) + 1
  played_by[running()] = subject
  local done, problem = pcall(f, ...)
  if not done then report(subject, problem) end
  plays[subject] = plays[subject] - 1
  if plays[subject] > 0 then return end
  plays[subject] = nil
  if subject ~= 0 then call("played", subject) end
end

local function spawn(f)
  local subject = played_by[running()] or 0
  plays[subject] = (plays[subject] or 0) + 1
  words.spawn(desk, function()
    plays[subject] = plays[subject] - 1
    play(subject, f)
  end)
end

local function expect_function(word, f)
  if type(f) ~= "function" then host.error(word .. ": function expected, got " .. type(f)) end
end

local function expect_seconds(word, seconds)
  if type(seconds) ~= "number" or seconds <= 0 then
    host.error(word .. ": seconds, more than 0, expected, got " .. tostring(seconds))
  end
end

-- A handler of the desk gets the chat first if the event is a chat's.
local function listen(subject, event, f)
  expect_function("on_" .. event, f)
  return shared.on(subject, event, function(object, ...)
    if object == desk then return play(0, f, ...) end
    play(object.id, f, object, ...)
  end)
end

-- MARK: Waits

-- What can still come once the visitor has ended the chat.
local lasting = set{ "rating", "resolution", "survey", "question_answer", "contacts", "close", "any" }

-- Everything at a desk comes from the visitor.
local function plain(filter)
  if type(filter) ~= "table" or filter.from ~= "visitor" then return filter end
  local rest = {}
  for key, value in pairs(filter) do rest[key] = value end
  rest.from = nil
  return rest
end

local ChatOver = { __metatable = false, __tostring = function(e) return e.message end }

-- Waits for an event or for the end of the chat, which ends the play unless the desk itself has closed it.
local function wait_while_open(chat, any_of, one, event, filter, options)
  if type(filter) == "function" and event ~= "message" then return one(chat, filter, options) end
  local wanted = filter or {}
  if type(wanted) == "table" then
    wanted = table.move(wanted, 1, #wanted, 1, {})
    for key, value in pairs(filter or {}) do wanted[key] = value end
    wanted.event = event
  end
  local within = type(filter) == "table" and filter.within or type(options) == "table" and options.within
  local value, which = any_of(chat, { wanted, { event = "close" }, within = within or nil })
  if which == 1 or value == nil then return value, value == nil and which or nil end
  if value.by == "operator" then return one(chat, filter, options) end
  error(setmetatable({ code = "chat_over", message = "the chat is over" }, ChatOver), 0)
end

local function number_of(chat) return chat.id end

local function waiter(word)
  local what = word:sub(6)
  local one, any_of = shared.waiter(word, number_of), shared.waiter("wait_any_of", number_of)
  if what == "any_of" then
    return function(chat, filters, extra)
      if type(filters) ~= "table" then return one(chat, filters, extra) end
      local list = {}
      for key, filter in pairs(filters) do list[key] = plain(filter) end
      return one(chat, list, extra)
    end
  elseif what == "for" then
    return function(chat, event, filter, extra)
      if extra ~= nil or lasting[event] then return one(chat, event, plain(filter), extra) end
      expect_no_places(word, filter)
      local function single(object, ...) return one(object, event, ...) end
      return wait_while_open(chat, any_of, single, event, plain(filter))
    end
  elseif what == "survey" then
    return function(chat, filter, options)
      local result, why = one(chat, plain(filter), options)
      if result then return result.finished, result.answers end
      return nil, why
    end
  elseif lasting[what] then
    return function(chat, filter, options) return one(chat, plain(filter), options) end
  end
  return function(chat, filter, options)
    expect_no_places(word, filter)
    expect_names(word, options, "within")
    return wait_while_open(chat, any_of, one, what, plain(filter), options)
  end
end

-- MARK: Keyboards

local function button(given)
  if type(given) == "string" then return { text = given, id = given } end
  if type(given) ~= "table" then host.error("keyboard: a button is a text or a table, not a " .. type(given)) end
  local made = {}
  for key, value in pairs(given) do
    if type(key) == "string" then made[key] = value end
  end
  made.text = made.text or given[1]
  made.id = made.id or made.text
  return made
end

local function is_row(given)
  return type(given) == "table" and given.text == nil and (type(given[1]) == "table" or #given > 1)
end

local function names_in(list)
  local named = {}
  for name, value in pairs(list) do
    if type(name) ~= "number" then named[name] = value end
  end
  return named
end

-- Rows of buttons from rows or from a flat list, in which each button stands in a row of its own.
local function rows_of(given)
  local rows = {}
  expect_names("keyboard", names_in(given), "text")
  for i, element in ipairs(given) do
    local row = is_row(element) and element or { element }
    expect_names("keyboard", names_in(row))
    rows[i] = host.array{}
    for k, one in ipairs(row) do rows[i][k] = button(one) end
  end
  return host.array(rows)
end

-- MARK: The chat

local own = {
  sleep = words.sleep,
  keyboard = function(chat, rows, options)
    if type(rows) ~= "table" then host.error("keyboard: a table of buttons expected, got " .. type(rows)) end
    if options == nil and rows.text then options = { text = rows.text } end
    return call("keyboard", chat.id, rows_of(rows), options)
  end,
  typing = function(chat, time)
    if time == nil or type(time) == "boolean" then return call("typing", chat.id, time ~= false) end
    if type(time) ~= "number" then host.error("typing: seconds or a boolean expected, got " .. type(time)) end
    call("typing", chat.id, true)
    words.sleep(chat, time)
    call("typing", chat.id, false)
  end,
}

local function checked(object, kind, name)
  if getmetatable(object) ~= kind then
    host.error(("call it with a colon: %s:%s(…)"):format(kind, name))
  end
  return object
end

local function method(kind, name, f)
  return function(object, ...) return f(checked(object, kind, name), ...) end
end

local chat_words, chat_fields = set(chat_names.words), set(chat_names.fields)
local chat_events, chat_waits = set(chat_names.listeners), set(chat_names.own)
local chat_methods = {}

local function chat_method(name)
  local event = name:match("^on_(.+)$")
  if own[name] then return own[name] end
  if chat_waits[name] then return waiter(name) end
  if event and chat_events[event] then
    return function(chat, f) return listen(chat.id, event, f) end
  end
  if chat_words[name] then return function(chat, ...) return call(name, chat.id, ...) end end
end

local Chat = {
  __name = "chat", __metatable = "chat",
  __tostring = function(chat) return "chat " .. chat.id end,
  __index = function(chat, name)
    if chat_methods[name] then return chat_methods[name] end
    if name == "messages" then return call("history", chat.id) end
    if chat_fields[name] then
      local _, fields = host.ask("fields", chat.id)
      return fields[name]
    end
    local known = type(name) == "string" and chat_method(name)
    if not known then return call("no_such_word", chat.id, tostring(name)) end
    chat_methods[name] = method("chat", name, known)
    return chat_methods[name]
  end,
  __newindex = function(_, name)
    host.error(("chat.%s cannot be set; chat.data is the script's own"):format(tostring(name)))
  end,
}

local function subject(number)
  if number == 0 then return desk end
  local key = tostring(number)
  chats[key] = chats[key] or setmetatable({ id = number, data = {} }, Chat)
  return chats[key]
end

-- MARK: The desk

local desk_own = {
  sleep = words.sleep, now = words.now, log = words.log,
  random = function(_, ...) return host.random(...) end,
  spawn = function(_, f)
    expect_function("spawn", f)
    spawn(f)
  end,
  every = function(_, seconds, f)
    expect_seconds("every", seconds)
    expect_function("every", f)
    local is_on = true
    spawn(function()
      while is_on do
        words.sleep(desk, seconds)
        if is_on then f() end
      end
    end)
    return function() is_on = false end
  end,
  after = function(_, seconds, f)
    expect_seconds("after", seconds)
    expect_function("after", f)
    local is_on = true
    spawn(function()
      words.sleep(desk, seconds)
      if is_on then f() end
    end)
    return function() is_on = false end
  end,
  on = function(_, event, f) return listen(0, event, f) end,
  invite = function(_, ...) return subject(call("invite", 0, ...).id) end,
}

local desk_words, desk_events = set(desk_names.words), set(desk_names.listeners)
local desk_methods = {}

local function desk_method(name)
  local event = name:match("^on_(.+)$")
  if desk_own[name] then return desk_own[name] end
  if event and desk_events[event] then return function(_, f) return listen(0, event, f) end end
  if desk_words[name] then return function(_, ...) return call(name, 0, ...) end end
end

setmetatable(desk, {
  __name = "desk", __metatable = "desk",
  __index = function(_, name)
    if desk_methods[name] then return desk_methods[name] end
    if name == "visitors" then return call("list_visitors", 0) end
    if name == "chats" then
      local open = {}
      for i, chat in ipairs(call("list_chats", 0)) do open[i] = subject(chat.id) end
      return open
    end
    local known = type(name) == "string" and desk_method(name)
    if not known then return call("no_such_word", 0, tostring(name)) end
    desk_methods[name] = method("desk", name, known)
    return desk_methods[name]
  end,
  __newindex = function(_, name) host.error(("desk.%s cannot be set"):format(tostring(name))) end,
})

-- The host takes out of `chats` what is forgotten: closed, played by nobody, listened to by nobody.
return { subject = subject, chats = chats }
