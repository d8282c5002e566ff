-- One slot's record. ARGV: worker; 1 for a write that a WAIT can follow, which then covers all that was written before.
local function main()
  local worker, barrier = ARGV[1], ARGV[2]
  server()
  local found = call('HGET', HASH, worker)
  if barrier == '1' then
    call('SET', KEYS[5], '1', 'PX', '1000')
  end
  return found or ''
end
