-- Order status: a shopper who asks the robot about an order, then thanks the operator and rates.
-- The shortest bot that holds a conversation, and a good one to copy for your own.
-- Needs a desk whose menu has "Track order" and whose operator says that the order is on its way.
return function(visitor)
  visitor:say("Where is my order?")

  local menu = visitor:expect_keyboard{ within = 30 }
  visitor:press(menu, "Track order")

  local answer = visitor:expect_message{ from = "operator", contains = "on its way", within = 20 }
  visitor:reply(answer, "Great, when exactly?")

  visitor:think(1, 3)
  visitor:rate_operator(5)
end
