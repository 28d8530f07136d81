-- The desk that plays when no other is given: a robot with a menu, an operator who answers, a survey, a rating.
-- Whatever the visitor does or leaves undone, the conversation goes on: long patience for people who write,
-- less for people who never do, little for people who have just let a question pass.

local menu = {
  { "Track order", id = "track" },
  { "Opening hours", id = "hours" },
  { "Talk to a person", id = "person" },
}
local more = { { "Talk to a person", id = "person" }, { "No, thank you", id = "done" } }

local questions = {
  { form = "quality", questions = {
    { type = "stars", text = "How was our answer?" },
    { type = "radio", text = "Is your question solved?", options = { "Yes", "No" } } } },
  { form = "more", questions = { { type = "comment", text = "Anything to add?" } } },
}

-- Seconds to wait for the visitor. Who writes may be cut off for a while and comes back; who never wrote may only be
-- slow; who has let one wait pass is not waited for long.
local function patience(chat)
  if chat.data.has_let_pass then return 1 end
  for _, message in ipairs(chat.messages) do
    if message.type == "visitor_message" then return 45 end
  end
  return 10
end

local function await(chat, wait, filter)
  filter.within = patience(chat)
  local value, index = chat[wait](chat, filter)
  chat.data.has_let_pass = value == nil
  return value, index
end

-- Lets the robot offer its menu until the visitor wants a person or has enough.
local function offer_menu(chat)
  local rows, text = menu, "What can I do for you?"
  for _ = 1, 5 do
    local offered = chat:keyboard(rows, { text = text })
    local pressed = await(chat, "wait_press", {})
    if not pressed then
      chat:cancel_keyboard(offered)
      return "person"
    end
    if pressed.id ~= "hours" then return pressed.id end
    local hours = chat:say("We are open form nine to six.")
    chat:edit(hours, "We are open from nine to six.")
    rows, text = more, "Anything else?"
  end
  return "person"
end

local function answer_in_person(chat)
  chat:say("One moment, I am fetching a colleague.")
  chat:route()
  chat:sleep(0.1)
  chat:accept("anna")
  chat:mark_read()
  chat:typing(0.2)
  local slip = chat:say("Lunch at one?")
  chat:say("Hello, this is Anna. Your order 1042 is on its way.")
  chat:delete(slip)

  local reply = await(chat, "wait_message", {})
  if reply then
    chat:mark_read()
    chat:typing(0.2)
    local answer = chat:quote(reply, "It arrives on Mnday, before noon.")
    chat:edit(answer, "It arrives on Monday, before noon.")
  end
end

local function ask_for_opinion(chat)
  chat:survey(questions)
  if await(chat, "wait_survey", {}) == nil then chat:cancel_survey() end

  chat:request_rating("Please rate how I did.")
  if await(chat, "wait_rating", {}) then chat:info("Thank you for the rating.") end
end

return function(desk)
  desk:operator{ id = "anna", name = "Anna", title = "Order desk" }

  desk:on_chat(function(chat)
    chat:robot("Robby")
    chat:typing(0.1)
    chat:say("Hello, I am Robby, the robot of the order desk.")

    if offer_menu(chat) ~= "done" then
      answer_in_person(chat)
      ask_for_opinion(chat)
    end
    chat:say("Good-bye, and have a nice day.")
    -- Closed for good: the next visit is a chat of its own, with a rating of its own.
    chat:close{ final = true }
  end)
end
