-- ARGV: first and last worker id of the registry. A worker id, or ''.
local function main()
  server()
  local worker = offer(tonumber(ARGV[1]), tonumber(ARGV[2]), clock())
  return worker and tostring(worker) or ''
end
