-- Parcel desk: a robot with two buttons, an operator for those who want a person, and a survey of three questions.
-- Shows the shape of a desk: who works there, and a function that plays each chat from its beginning to its end.
-- Try it with bots/press_first.lua, which takes the first button that it is offered.
return function(desk)
  desk:operator{ id = "anna", name = "Anna", title = "Parcel desk" }

  desk:on_chat(function(chat)
    chat:robot("Robby")
    chat:say("What can I do for you?")
    chat:keyboard{ { "Track order", id = "track" }, { "Talk to a person", id = "human" } }

    local pressed = chat:wait_press{ within = 60 }
    if pressed and pressed.id == "human" then chat:accept("anna") end
    chat:say("Your parcel is on its way.")

    chat:survey{
      { form = "quality", questions = {
        { type = "stars", text = "How was it?" },
        { type = "radio", text = "Solved?", options = { "yes", "no" } },
        { type = "comment", text = "Anything to add?" } } } }
    chat:close()
  end)
end
