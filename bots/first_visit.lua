-- First visit: greets, answers the robot's keyboard, quotes the operator's answer, fills the survey and
-- rates the operator. This is the whole circle that a chat service has to carry; run it first.
-- Needs a desk that shows a keyboard and lets an operator say that the order is on its way; the survey and the
-- rating request may be missing.

local greeting = "Good day! Where is my order 1042?"

-- An answer for each type of question, as a contented customer gives it.
local function answer_for(question)
  if question.type == "stars" then return 5 end
  if question.type == "radio" then return 1 end
  return "All clear, thank you."
end

local function fill_survey(visitor, survey)
  local answered = 0
  for _, form in ipairs(survey.forms) do
    for _ = 1, #form.questions do
      local question = visitor:wait_question{ within = 10 }
      if not question then return answered end
      visitor:answer_survey(answer_for(question))
      answered = answered + 1
    end
  end
  return answered
end

return function(visitor)
  visitor.state.stage = "greeting"
  visitor:step("greet", function()
    visitor:say(greeting)
  end)

  visitor.state.stage = "menu"
  visitor:step("answer the keyboard", function()
    local menu = visitor:expect_keyboard{ within = 30 }
    visitor:check("the menu offers a choice", #menu.keyboard.buttons >= 2)
    visitor:press(menu, menu.keyboard.buttons[1])
  end)

  visitor.state.stage = "question"
  visitor:step("quote the answer", function()
    local answer = visitor:expect_message{ from = "operator", contains = "on its way", within = 60 }
    visitor:check("somebody signed the answer", answer.sender_name ~= "")
    visitor:reply(answer, "Great, when exactly?")
  end)

  visitor.state.stage = "survey"
  visitor:step("fill the survey", function()
    local survey = visitor:wait_survey{ within = 30 }
    if survey then visitor.state.answered = fill_survey(visitor, survey) end
  end)

  visitor.state.stage = "goodbye"
  visitor:say("Thank you, good-bye!")
  visitor:step("rate the operator", function()
    visitor:rate_operator(5, { note = "Quick and friendly" })
  end)

  visitor.state.stage = "done"
  visitor:wait_until(function() return visitor.chat_state:find("^closed") end, { within = 10 })
end
