-- Silent visitor: opens a chat, reads what the service has to say, types a little, sends nothing and leaves.
-- Shows how a desk treats people who never answer, and that their chats do not stay open.
-- Checks that the service spoke first and that closing is confirmed.
return function(visitor)
  visitor:start_chat()
  local first = visitor:expect_message{ within = 30 }
  visitor:check("the service spoke first", first.text ~= "")

  visitor:set_chat_read()
  visitor:set_visitor_typing("I wonder whether")
  visitor:sleep(0.5)
  visitor:set_visitor_typing(nil)

  visitor:close_chat()
  visitor:log("left without a word, chat state %s", visitor.chat_state)
end
