-- Rater: waits for an operator, rates with two stars and a note, changes its mind to four,
-- and makes sure that the service remembers the last rating only.
-- Run it after a change of the rating rules: limits and rights are the service's to check.
return function(visitor)
  visitor:say("I would like to talk to a person, please.")
  local menu = visitor:wait_keyboard{ within = 30 }
  if menu then visitor:press(menu, menu.keyboard.buttons[#menu.keyboard.buttons]) end

  -- A robot is an operator, too, but not one to be rated here.
  visitor:expect_until(function()
    return visitor.operator and not visitor.operator.robot_type
  end, { within = 60 })
  local operator = visitor.operator

  visitor:step("first impression", function()
    visitor:rate_operator(2, { operator = operator, note = "Slow to answer" })
    visitor:check("two stars are remembered", visitor:last_rating_of_operator(operator) == 2)
  end)
  visitor:think(0.2, 0.5)
  visitor:step("second thoughts", function()
    visitor:rate_operator(4, { operator = operator })
    visitor:check("four stars replaced them", visitor:last_rating_of_operator(operator) == 4)
  end)
  visitor:close_chat()
end
