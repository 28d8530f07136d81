-- The object `visitor`. Words and fields come from the host's table; a word becomes a function when first used.

local words, fields = ...
local shared = host.prelude
local call, fetch = shared.call, shared.fetch
local visitor, methods, values = {}, {}, { resumed = false }

-- Messages know what stood on the wire, for those who ask.
local Message = {
  __metatable = false,
  __index = function(message, key)
    if key == "raw" then return fetch("raw", message.id) end
  end,
}

-- Dresses messages, also those in a list or in the table of an event.
local function dress(first, ...)
  if type(first) == "table" then
    if first.send_status then
      setmetatable(first, Message)
    else
      for _, member in pairs(first) do
        if type(member) == "table" and member.send_status then setmetatable(member, Message) end
      end
    end
  end
  if select("#", ...) > 0 then return first, dress(...) end
  return first
end

local function checked(self, word)
  if self ~= visitor then host.error("call it with a colon: visitor:" .. word .. "(…)") end
  return 0
end

local function method(word)
  local own = shared.words[word]
  if word == "on" then
    return function(self, name, f) return shared.on(checked(self, word), name, f) end
  elseif own then
    return function(self, ...)
      checked(self, word)
      return own(self, ...)
    end
  elseif word:find("^wait_") or word:find("^expect_") then
    return shared.waiter(word, function(self) return checked(self, word) end)
  end
  return function(self, ...) return dress(call(word, checked(self, word), ...)) end
end

local function is_in(list, name)
  return type(name) == "string" and list:find(" " .. name .. " ", 1, true)
end

setmetatable(visitor, {
  __name = "visitor",
  __metatable = false,
  __index = function(_, name)
    if methods[name] then return methods[name] end
    local value = values[name]
    if value ~= nil then return value end
    if name == "state" then return shared.state end
    if name == "messages" then return dress(fetch("messages")) end
    if is_in(words, name) then
      methods[name] = method(name)
      return methods[name]
    end
    if is_in(fields, name) then return nil end
    return fetch("unknown", tostring(name))
  end,
  __newindex = function(_, name, value)
    if name ~= "state" then
      host.error(("visitor.%s cannot be set; visitor.state is the script's own"):format(tostring(name)))
    elseif type(value) ~= "table" then
      host.error("visitor.state is a table, not a " .. type(value))
    end
    shared.state = value
  end,
})

return {
  fields = values, state = {}, dress = dress,
  subject = function() return visitor end,
}
