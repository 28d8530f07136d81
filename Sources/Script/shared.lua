-- What bots and desks share. Each visitor carries it: keep it small.
-- `settle` takes what the host answers: true and the values, or false and the error.

local version = ...
local ask, note, position, now = host.ask, host.note, host.position, host.now
local running = coroutine.running

local Error = {
  __name = "error", __metatable = false,
  __tostring = function(e)
    return (e.line and e.source .. ":" .. e.line .. ": " or "") .. e.message
  end,
}

local function settle(done, ...)
  if done then return ... end
  error(setmetatable((...), Error), 0)
end

-- Coroutines that run a predicate: whatever waits is refused there, what the host answers at once is not.
local judging = setmetatable({}, { __mode = "k" })
local Judged = { __close = function(mark) judging[mark[1]] = nil end }

local function verdict(predicate, value)
  local co = running()
  local mark <close> = setmetatable({ co }, Judged)
  judging[co] = true
  return not not predicate(value)
end

local function call(word, subject, ...)
  if judging[running()] then host.error(word .. ": a predicate may not wait") end
  return settle(ask(word, subject, ...))
end

local function fetch(word, ...)
  return settle(ask(word, 0, ...))
end

-- A filter or options with a place instead of a name would be a filter that is never looked at.
local function expect_no_places(word, value)
  if type(value) ~= "table" or value[1] == nil then return end
  host.error(word .. ": the table has names, such as { within = 5 }, not places in a list")
end

-- Parts a list of filters from the names beside it, such as `within`.
local function parted(word, given, plain)
  local list, names = host.array({}), {}
  for i, filter in ipairs(given) do
    expect_no_places(word, filter)
    list[i] = plain(filter, i)
  end
  for key, value in pairs(given) do
    if math.type(key) ~= "integer" then
      names[tostring(key)] = value
    elseif list[key] == nil then
      host.error(word .. ": the list of filters has a hole before place " .. key)
    end
  end
  return list, names
end

-- Makes the method of a word such as wait_message; `number` gives the number of the object it is called on. What the
-- word means is the host's to know; predicates stay here, and `true` goes in their place.
local function waiter(word, number)
  local is_until = word:find("_until$")
  local is_list = word:find("_any_of$") or word:find("_in_any_order$") or word:find("_none_of$")
  return function(object, first, second, extra)
    if extra ~= nil then host.error(word .. ": one argument too many; `within` stands in the filter") end
    local subject, predicates, list = number(object), {}, nil
    if is_until and type(first) == "function" then list = host.array({ host.origin(first) }) end
    local function plain(value, i)
      if type(value) ~= "function" then return value ~= true and value end
      predicates[i] = value
      return true
    end
    if judging[running()] then host.error(word .. ": a predicate may not wait") end
    if is_until and type(first) == "function" and verdict(first) then return true end
    if is_list and type(first) == "table" then
      if second ~= nil then host.error(word .. ": one argument too many; `within` stands in the list") end
      list, second = parted(word, first, plain)
      first = nil
    end
    expect_no_places(word, first)
    expect_no_places(word, second)
    local done, a, b = ask("wait", subject, word, plain(first, 1), plain(second, 1), list)
    while done == "judge" do
      done, a, b = ask("judged", subject, verdict(predicates[a], host.prelude.dress(b)))
    end
    return host.prelude.dress(settle(done, a, b))
  end
end

local function place()
  local _, source, line = position()
  return source, line
end

local function expect_type(word, value, wanted)
  if type(value) ~= wanted then host.error(word .. ": " .. wanted .. " expected, got " .. type(value)) end
end

-- Refuses a name in a table of options that the word does not know; the host finds the nearest one.
local function expect_names(word, options, ...)
  if options == nil then return {} end
  expect_type(word, options, "table")
  local known = host.array({ ... })
  local list = " " .. table.concat(known, " ") .. " "
  for name in pairs(options) do
    local is_known = type(name) == "string" and list:find(" " .. name .. " ", 1, true)
    if not is_known then fetch("unknown_option", word, tostring(name), known) end
  end
  return options
end

local Step = { __close = function(step) note("stepped", step.name, now() - step.at) end }

-- Words of every object; the object comes first.
local words = {
  sleep = function(_, seconds) return call("sleep", 0, seconds) end,
  think = function(_, min, max)
    expect_type("think", min, "number")
    max = max or min
    expect_type("think", max, "number")
    return call("sleep", 0, min + (max - min) * host.random())
  end,
  now = now,
  spawn = function(_, f) return call("spawn", 0, f) end,
  log = function(_, format, ...)
    local text = tostring(format)
    note("log", select("#", ...) > 0 and text:format(...) or text, place())
  end,
  check = function(_, name, condition)
    expect_type("check", name, "string")
    note("check", name, not not condition, place())
    return condition
  end,
  metric = function(_, name, value, options)
    expect_type("metric", name, "string")
    expect_type("metric", value, "number")
    local unit = expect_names("metric", options, "unit").unit
    if unit ~= nil then expect_type("metric", unit, "string") end
    note("metric", name, value, unit)
  end,
  step = function(object, name, f)
    expect_type("step", name, "string")
    expect_type("step", f, "function")
    local mark <close> = setmetatable({ name = name, at = now() }, Step)
    return f(object)
  end,
}

local function on(subject, name, f)
  local id = call("on", subject, name, f)
  return function() call("off", subject, id) end
end

-- Modules in plain Lua, beside the script or in lib/; the host reads them.
local loaded = {}

function host.sandbox.require(name)
  if loaded[name] == loaded then host.error(("require: %q requires itself, or has failed before"):format(name)) end
  if loaded[name] ~= nil then return loaded[name] end
  local module = fetch("module", name)
  local chunk, message = host.load(module.source, module.path)
  if not chunk then error(message, 0) end
  loaded[name] = loaded
  local value = chunk(name, module.path)
  if value == nil then value = true end
  loaded[name] = value
  return value
end

host.sandbox.visitant = host.freeze({
  version = version,
  json = host.freeze({ encode = host.json_encode, decode = host.json_decode, array = host.array }, "visitant.json"),
  base64 = host.freeze({ encode = host.base64_encode, decode = host.base64_decode }, "visitant.base64"),
  sha256 = host.sha256,
  hmac_sha256 = host.hmac_sha256,
  uuid = host.uuid,
  random = host.random,
  read = function(path) return fetch("read", path) end,
  env = function(name) return fetch("env", name) end,
  csv = function(path) return fetch("rows", fetch("read", path)) end,
  -- The signature covers the values in the order of their names, then the time of expiry.
  visitor_fields = function(options)
    expect_type("visitor_fields", options, "table")
    expect_names("visitor_fields", options, "fields", "key", "expires", "expires_in")
    expect_type("visitor_fields", options.fields, "table")
    local names, signed = {}, {}
    for name in pairs(options.fields) do names[#names + 1] = name end
    table.sort(names)
    for i, name in ipairs(names) do signed[i] = options.fields[name] end
    local expires = options.expires or math.floor(now()) + (options.expires_in or 3600)
    signed[#signed + 1] = ("%d"):format(expires)
    return host.json_encode({
      fields = options.fields, expires = expires, hash = host.hmac_sha256(options.key, table.concat(signed)),
    })
  end,
}, "visitant")

return {
  call = call, fetch = fetch, waiter = waiter, words = words, on = on, expect_names = expect_names,
  expect_no_places = expect_no_places,
  dress = function(...) return ... end,
  -- Runs a function of the script with the object of a stream.
  enter = function(f, subject, ...)
    f(host.prelude.subject(subject), host.prelude.dress(...))
  end,
}
