-- Button walker: presses its way through the robot's menus, of each keyboard the last button but one,
-- so that it sees another branch than a visitor who always takes the first.
-- Ends when no further keyboard comes, and notes a failed check if there was none at all.
return function(visitor)
  visitor:start_chat()

  local path = {}
  while #path < 10 do
    local menu = visitor:wait_keyboard{ within = #path == 0 and 30 or 2 }
    if not menu then break end

    local buttons = menu.keyboard.buttons
    local button = buttons[math.max(1, #buttons - 1)]
    visitor:press(menu, button)
    path[#path + 1] = button.text
    visitor:log("pressed %q, %d of %d", button.text, #path, #buttons)
  end

  visitor.state.path = path
  visitor:check("a keyboard came", #path > 0)
  visitor:close_chat()
end
