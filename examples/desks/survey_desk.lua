-- Survey desk: asks for stars first and branches on the answer: the unhappy are asked why and handed to the
-- head of the desk, the happy are asked what pleased them. Visitors who close the survey are let go.
-- Try it with bots/survey_filler.lua, and change the bot's stars to see the other branch.
local function ask(chat, forms)
  chat:survey(forms)
  local finished, answers = chat:wait_survey{ within = 120 }
  if not finished then chat:cancel_survey() end
  return finished and answers or nil
end

local first = { { type = "stars", text = "How many stars do you give us?" } }

local unhappy = {
  { form = "reason", questions = {
    { type = "radio", text = "What went wrong?", options = { "Too slow", "Not helpful", "Something else" } },
    { type = "comment", text = "Please tell us more." } } },
  { form = "contact", questions = {
    { type = "radio", text = "May we call you?", options = { "Yes", "No" } } } },
}

local happy = { { type = "comment", text = "What did you like best?" } }

return function(desk)
  desk:operator{ id = "mia", name = "Mia", title = "Service desk" }
  desk:operator{ id = "ruth", name = "Ruth", title = "Head of the service desk" }

  desk:on_chat(function(chat)
    chat:accept("mia")
    chat:say("Hello! Your request is on its way. May I ask you something?")
    chat:wait_message{ within = 10 }

    local answers = ask(chat, first)
    if answers then
      local stars = tonumber(answers[1].value)
      if stars <= 3 then
        chat:hand_over("ruth")
        chat:say("I am sorry to hear that. I am Ruth, I run this desk.")
        local reasons = ask(chat, unhappy)
        if reasons then desk:log("%s said: %s", chat.visitor.name, reasons[1].option) end
      else
        ask(chat, happy)
      end
    end
    chat:request_rating("Would you rate me, too?")
    chat:wait_rating{ within = 20 }
    chat:say("Thank you, good-bye.")
    chat:close()
  end)

  desk:on_rating(function(chat, rating)
    desk:log("%s got %d stars", rating.operator.name, rating.stars)
  end)
end
