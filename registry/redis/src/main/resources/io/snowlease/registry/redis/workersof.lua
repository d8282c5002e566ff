-- Worker ids of a node. ARGV: its name.
local function main()
  server()
  return try('HGET', NODES, ARGV[1]) or ''
end
