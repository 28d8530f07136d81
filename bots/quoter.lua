-- Quoter: answers what it is told by quoting it, then edits one of its messages and deletes another.
-- Checks that the quote comes back filled, that the edit shows and that the deleted message is gone.
-- Needs an account that allows quoting and editing (`web_and_mobile_quoting`, `visitor_message_editing`).

-- What an operator said last and has not taken back.
local function newest_answer(visitor)
  local messages = visitor.messages
  for i = #messages, 1, -1 do
    if messages[i].from == "operator" then return messages[i] end
  end
end

return function(visitor)
  visitor:say("Is anybody there?")
  local menu = visitor:wait_keyboard{ within = 30 }
  if menu then visitor:press(menu, menu.keyboard.buttons[1]) end

  visitor:step("quote", function()
    visitor:expect_message{ from = "operator", within = 60 }
    visitor:think(0.3, 0.6)
    local answer = newest_answer(visitor)
    local mine = visitor:reply(answer, "You wrote this, did you not?")
    visitor:check("my message carries the quote", mine.quote ~= nil)
    visitor:check("the quote is of the answer", mine.quote and mine.quote.text == answer.text)
  end)

  visitor:step("edit", function()
    local draft = visitor:say("I will be home on Mnday.")
    local final = visitor:edit(draft, "I will be home on Monday.")
    visitor:check("the edit took", final.text == "I will be home on Monday.")
  end)

  visitor:step("delete", function()
    local slip = visitor:say("Sorry, wrong window.")
    visitor:delete(slip)
    local is_gone = true
    for _, message in ipairs(visitor.messages) do
      if message.id == slip.id then is_gone = false end
    end
    visitor:check("the slip is gone", is_gone)
  end)
  visitor:close_chat()
end
