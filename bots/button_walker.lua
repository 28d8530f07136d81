-- Button walker: presses its way through the robot's menus, one button of each keyboard, the last one first,
-- so that it sees another branch than a visitor who always takes the first.
-- Ends when no further keyboard comes, and fails if there was none at all.
return function(visitor)
  visitor:start_chat()

  local path = {}
  while #path < 10 do
    local menu = visitor:wait_keyboard{ within = #path == 0 and 30 or 2 }
    if not menu then break end

    local buttons = menu.keyboard.buttons
    local button = #path % 2 == 0 and buttons[#buttons > 1 and #buttons - 1 or 1] or buttons[1]
    visitor:press(menu, button)
    path[#path + 1] = button.text
    visitor:log("pressed %q, %d of %d", button.text, #path, #buttons)
  end

  visitor.state.path = path
  visitor:check("a keyboard came", #path > 0)
  visitor:close_chat()
end
