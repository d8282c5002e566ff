
local ok, reply = pcall(main)
if ok then
  return reply
end
return { err = tostring(reply) }
