-- One transition of one slot. Everything is checked before anything is written, the hash is written first, and a second
-- sending changes nothing. ARGV: server identity and registry record the plan was made on; worker; the slot's record as
-- read ('' for none), and as it shall be; time limit ('' for none); until, state, token and node of the new record; node
-- of the old one; 1 if this is a new lease.
local function put(worker, til, state, token, now)
  local left = til - now
  if state == 'RELEASED' or left <= 0 then
    try('DEL', LEASE)
  elseif try('GET', LEASE) == token then
    try('PEXPIRE', LEASE, millis(left))
  elseif not try('SET', LEASE, token, 'NX', 'PX', millis(left)) then
    -- Left over from a lease that the hash does not know any more.
    try('SET', LEASE, token, 'PX', millis(left))
  end
  index(worker, state, millis(til))
end

local MOST_WORKERS = 8

local function without(list, worker)
  local kept = {}
  for number in (list or ''):gmatch('%d+') do
    if number ~= worker then
      kept[#kept + 1] = number
    end
  end
  return kept
end

local function rename(worker, before, node)
  if before ~= node then
    local old = without(try('HGET', NODES, before), worker)
    if #old == 0 then
      try('HDEL', NODES, before)
    else
      try('HSET', NODES, before, table.concat(old, ','))
    end
  end
  local own = without(try('HGET', NODES, node), worker)
  table.insert(own, 1, worker)
  try('HSET', NODES, node, table.concat(own, ',', 1, math.min(#own, MOST_WORKERS)))
end

local function main()
  local identity, registry, worker, seen, record, limit = unpack(ARGV, 1, 6)
  local til, state, token, node, before, isNew = unpack(ARGV, 7, 12)
  local now = clock()
  if server() ~= identity or call('HGET', HASH, REGISTRY) ~= registry then
    return 'REGISTRY_CHANGED'
  end
  local found = call('HGET', HASH, worker) or ''
  if found == record then
    -- Written before; once more, so that a WAIT that follows is for it.
    call('HSET', HASH, worker, record)
    return 'WRITTEN'
  end
  if found ~= seen then
    return 'SLOT_CHANGED'
  end
  if limit ~= '' and now >= tonumber(limit) then
    return 'TOO_LATE'
  end
  call('HSET', HASH, worker, record)
  put(worker, tonumber(til), state, token, now)
  if seen == '' then
    try('ZREM', OFFERS, worker)
  end
  if isNew == '1' then
    rename(worker, before, node)
  end
  return 'WRITTEN'
end
