-- What a claim asks for, in one go. ARGV: node; first and last worker id; the plan's time; S; how many of the index.
-- Returns: workers of the node with their records; a never-used worker id or ''; the index by bound, if there is none;
-- the records of the first free ones in it. What comes later is left out where an earlier one will do.
local MOST_OWN, MOST_FREE = 8, 8

local function isFree(state, til, now, skew)
  return state == 'RELEASED' or now >= til + skew
end

local function own(node, now, skew)
  local found, free = {}, false
  for worker in (try('HGET', NODES, node) or ''):gmatch('%d+') do
    if #found < 2 * MOST_OWN then
      local json = call('HGET', HASH, worker) or ''
      local record = parse(json)
      free = free or (record and isFree(record.state, record['until'], now, skew))
      found[#found + 1] = worker
      found[#found + 1] = json
    end
  end
  return found, free
end

-- Entries and the records of the first free ones, or nil when an entry was not as its record and has been put right.
local function reusable(limit, now, skew)
  local entries = call('ZRANGE', BOUNDS, 0, limit - 1, 'WITHSCORES')
  local records, isRight = {}, true
  for i = 1, #entries, 2 do
    if #records >= 2 * MOST_FREE then
      break
    end
    local worker, kind = entries[i]:match('^(%d+):(%a+)$')
    local til = tonumber(entries[i + 1])
    if not worker then
      call('ZREM', BOUNDS, entries[i])
      isRight = false
    elseif kind == 'free' or now >= til + skew then
      local json = call('HGET', HASH, worker) or ''
      local record = parse(json)
      if record and (record['until'] ~= til or bound(worker, record.state) ~= entries[i]) then
        index(worker, record.state, millis(record['until']))
        isRight = false
      end
      records[#records + 1] = worker
      records[#records + 1] = json
    end
  end
  return isRight and entries or nil, records
end

local function main()
  local node, first, last = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
  local now, skew, limit = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
  server()
  local mine, free = own(node, now, skew)
  if free then
    return { mine, '', {}, {} }
  end
  local worker = offer(first, last, clock())
  if worker then
    return { mine, tostring(worker), {}, {} }
  end
  ensureBounds()
  local entries, records
  for _ = 1, MOST_FREE do
    entries, records = reusable(limit, now, skew)
    if entries then
      break
    end
  end
  return { mine, '', entries or call('ZRANGE', BOUNDS, 0, limit - 1, 'WITHSCORES'), records }
end
