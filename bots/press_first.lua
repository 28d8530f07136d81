-- Button masher: starts a chat and presses the first button of whatever keyboard comes, as soon as it comes.
-- Written with handlers only: there is no order of events that it relies on.
-- The visit ends when the service closes the chat; the log tells each change of the chat's state.
return {
  name = "Button masher",

  on_start = function(visitor)
    visitor:start_chat()
  end,

  on_keyboard = function(visitor, message, keyboard)
    visitor:press(message, keyboard.buttons[1])
    visitor.state.pressed = (visitor.state.pressed or 0) + 1
  end,

  on_chat_state = function(visitor, previous, current)
    visitor:log("%s -> %s", previous, current)
  end,
}
