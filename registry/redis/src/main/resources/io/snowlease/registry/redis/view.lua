-- Time, server identity, replicas, registry record.
local function main()
  local now = clock()
  local identity, replicas = server()
  return { millis(now), identity, tostring(replicas), call('HGET', HASH, REGISTRY) or '' }
end
