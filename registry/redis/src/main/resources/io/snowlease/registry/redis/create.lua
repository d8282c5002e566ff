-- Makes the registry: ARGV server identity, record. 1 if it is there now as asked, 0 and nothing changed if not.
local function main()
  local identity, record = ARGV[1], ARGV[2]
  if server() ~= identity then
    return 0
  end
  local found = call('HGET', HASH, REGISTRY)
  if found then
    return found == record and 1 or 0
  end
  call('HSET', HASH, REGISTRY, record)
  if slots() == 0 then
    -- Hints that outlived a hash that was evicted.
    try('DEL', BOUNDS, NODES, OFFERS)
    try('HDEL', HASH, NEXT)
  end
  return 1
end
