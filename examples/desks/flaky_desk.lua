-- Flaky desk: an honest echo behind a line that fails: lost answers, 502, garbage, half an answer, a demand to
-- start over, and five seconds of silence after the third message. A bot must come out with each message said once.
-- Try it with bots/quoter.lua; every fault is drawn from a seed, so a run can be repeated.
return function(desk)
  desk:operator{ id = "otto", name = "Otto", title = "Echo" }

  -- A send that the service took although its answer never came: the repeat must not become a second message.
  desk:fault{ on = "action:chat.message", chance = 0.2, drop = "after_accept", seed = 7 }
  -- A balancer's page in place of an answer, and answers that are no JSON or not whole.
  desk:fault{ on = "delta", chance = 0.1, status = 502, body = "<html>Bad gateway</html>", seed = 11 }
  desk:fault{ on = "delta", chance = 0.05, body = "this is no JSON", seed = 13 }
  desk:fault{ on = "delta", chance = 0.05, cut = true, seed = 17 }
  -- Once in a while the session has to be opened anew, and the second history request is slow.
  desk:fault{ on = "delta", after = 5, times = 1, error = "reinit-required" }
  desk:fault{ on = "history", after = 1, times = 1, delay = 2 }

  desk:on_chat(function(chat)
    chat:accept("otto")
    chat:say("I repeat what you say.")
    local heard = 0
    while true do
      local message = chat:wait_message{ within = 120 }
      if not message then break end
      heard = heard + 1
      desk:log("message %d of %s: %s", heard, chat.visitor.name, message.text)
      chat:quote(message, message.text)
      if heard == 3 then desk:offline(5) end
    end
    chat:close()
  end)
end
