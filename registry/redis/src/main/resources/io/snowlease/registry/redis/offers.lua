-- Never-used worker ids. Each is offered to one claimer at a time, for as long as a claim may take, so that many that
-- come at once do not get in each other's way; one that was not taken up is offered again.
local OFFER_MILLIS = 10000

local function isTaken(worker)
  return call('HEXISTS', HASH, worker) == 1
end

-- The oldest offer that has not been taken up.
local function oldestOffer(first, last)
  while true do
    local oldest = try('ZRANGE', OFFERS, 0, 0, 'WITHSCORES')
    if not oldest then
      call('DEL', OFFERS)
      return nil
    end
    if not oldest[1] then
      return nil
    end
    local worker = tonumber(oldest[1])
    if worker and worker >= first and worker <= last and not isTaken(oldest[1]) then
      return worker, tonumber(oldest[2])
    end
    call('ZREM', OFFERS, oldest[1])
  end
end

-- Worker ids below NEXT that have no record although no offer is known: the offers were lost.
local function findLost(first, last)
  local taken = {}
  for _, field in ipairs(call('HKEYS', HASH)) do
    taken[field] = true
  end
  for worker = first, last do
    if not taken[tostring(worker)] then
      call('ZADD', OFFERS, 0, worker)
    end
  end
end

local function offer(first, last, now)
  if slots() > last - first then
    return nil
  end
  local oldest, since = oldestOffer(first, last)
  local chosen
  if oldest and now - since > OFFER_MILLIS then
    chosen = oldest
  else
    local worker = tonumber(call('HGET', HASH, NEXT) or '') or first
    worker = math.max(worker, first)
    while worker <= last and isTaken(worker) do
      worker = worker + 1
    end
    if worker <= last then
      call('HSET', HASH, NEXT, worker + 1)
      chosen = worker
    elseif oldest then
      chosen = oldest
    else
      findLost(first, last)
      chosen = oldestOffer(first, last)
    end
  end
  if chosen then
    call('ZADD', OFFERS, millis(now), chosen)
  end
  return chosen
end
