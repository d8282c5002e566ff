-- A part of all fields. ARGV: cursor.
local function main()
  server()
  local part = call('HSCAN', HASH, ARGV[1], 'COUNT', 1000)
  return { part[1], part[2] }
end
