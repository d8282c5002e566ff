-- Replaces the registry record: ARGV server identity, record as seen, record to store. 1 if done, else 0.
local function main()
  local identity, seen, record = ARGV[1], ARGV[2], ARGV[3]
  if server() ~= identity then
    return 0
  end
  local found = call('HGET', HASH, REGISTRY)
  if found == record then
    return 1
  end
  if found ~= seen then
    return 0
  end
  call('HSET', HASH, REGISTRY, record)
  return 1
end
