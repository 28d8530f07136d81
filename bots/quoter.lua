-- Quoter: answers what it is told by quoting it, then edits one of its messages and deletes another.
-- Checks that the quote comes back filled, that the edit is marked and that the deleted message is gone.
-- Needs an account that allows quoting and editing (`web_and_mobile_quoting`, `visitor_message_editing`).
return function(visitor)
  visitor:say("Is anybody there?")
  local menu = visitor:wait_keyboard{ within = 30 }
  if menu then visitor:press(menu, menu.keyboard.buttons[1]) end

  visitor:step("quote", function()
    local answer = visitor:expect_message{ from = "operator", contains = "on its way", within = 60 }
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
    for _, message in ipairs(visitor.messages) do
      visitor:check("the slip is gone", message.id ~= slip.id)
    end
  end)
  visitor:close_chat()
end
