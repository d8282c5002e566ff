-- The index by bound, lowest first. ARGV: how many.
local function main()
  server()
  ensureBounds()
  return call('ZRANGE', BOUNDS, 0, tonumber(ARGV[1]) - 1, 'WITHSCORES')
end
