-- What every script begins with. Keys: hash (records; it alone decides), bounds, nodes, offers (hints).
local HASH, BOUNDS, NODES, OFFERS, LEASE = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local REGISTRY, NEXT = 'registry', 'next'

local function isDenied(reply)
  return reply.err:find("can't run this command", 1, true) or reply.err:find('no permissions to run', 1, true)
end

-- An error ends the script. What it says of access names the command, which Redis itself does not.
local function call(command, ...)
  local reply = redis.pcall(command, ...)
  if type(reply) == 'table' and reply.err then
    error(isDenied(reply) and 'NOPERM +' .. command:lower() or reply.err, 0)
  end
  return reply
end

-- For hints: what goes wrong with them must not undo, nor seem to undo, what was written before.
local function try(...)
  local reply = redis.pcall(...)
  if type(reply) == 'table' and reply.err then
    return nil
  end
  return reply
end

local function clock()
  local time = call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local function millis(number)
  return string.format('%.0f', number)
end

-- Which server this is, and which of its data sets; and how many replicas follow it. A replica decides nothing.
local function server()
  local replication = call('INFO', 'replication')
  if not replication:find('role:master', 1, true) then
    error('READONLY snowlease: this server is a replica', 0)
  end
  local run = call('INFO', 'server'):match('run_id:(%w+)')
  local data = replication:match('master_replid:(%w+)')
  if not run or not data then
    error('ERR snowlease: INFO shows no run_id or no master_replid', 0)
  end
  return run .. ':' .. data, tonumber(replication:match('connected_slaves:(%d+)') or '0')
end

local function slots()
  local fields = call('HLEN', HASH)
  return fields - call('HEXISTS', HASH, REGISTRY) - call('HEXISTS', HASH, NEXT)
end

local function bound(worker, state)
  return worker .. (state == 'RELEASED' and ':free' or ':held')
end

local function index(worker, state, til)
  if not try('ZREM', BOUNDS, worker .. ':free', worker .. ':held') then
    try('DEL', BOUNDS)
  end
  try('ZADD', BOUNDS, til, bound(worker, state))
end

local function parse(json)
  local ok, record = pcall(cjson.decode, json)
  if ok and type(record) == 'table' and type(record['until']) == 'number' and type(record.state) == 'string' then
    return record
  end
  return nil
end

-- The index by bound, made anew from the records where it does not have as many entries.
local function ensureBounds()
  local entries = try('ZCARD', BOUNDS)
  if entries and entries == slots() then
    return
  end
  local rebuilt = {}
  local all = call('HGETALL', HASH)
  for i = 1, #all, 2 do
    local record = tonumber(all[i]) and parse(all[i + 1])
    if record then
      rebuilt[#rebuilt + 1] = { all[i], record }
    end
  end
  if entries == #rebuilt then
    return
  end
  call('DEL', BOUNDS)
  for _, entry in ipairs(rebuilt) do
    call('ZADD', BOUNDS, millis(entry[2]['until']), bound(entry[1], entry[2].state))
  end
end
