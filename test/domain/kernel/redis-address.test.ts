import { expect, it } from 'vitest'
import { readRedisAddress, withRedisPassword } from '#domain/kernel/redis-address.ts'

it('reads one server as its URL', () => {
  expect(readRedisAddress('rediss://user:p%2Fw@redis.example:6380/2')).toEqual({
    url: new URL('rediss://user:p%2Fw@redis.example:6380/2'),
    sentinels: null,
    master: null,
    tls: true,
  })
})

it('reads each sentinel, the name of the master, and the database', () => {
  expect(readRedisAddress('redis+sentinel://:p%2Fw@one:26379,10.0.0.2:1,[::1]:2,four/weather-1/3')).toEqual({
    url: new URL('redis://:p%2Fw@one:26379/3'),
    sentinels: [
      { host: 'one', port: 26_379 },
      { host: '10.0.0.2', port: 1 },
      { host: '::1', port: 2 },
      { host: 'four', port: 26_379 },
    ],
    master: 'weather-1',
    tls: false,
  })
})

it.each([
  'redis://',
  'http://redis',
  'redis+sentinel://one',
  'redis+sentinel://one/weather/x',
  'redis+sentinel://one,/weather',
  'redis://a b',
  'redis://one/weather',
  'rediss://one:6379/0/1',
])('refuses %s', (text) => {
  expect(readRedisAddress(text)).toBeNull()
})

it('a separate password replaces the one in the address, and the user stays', () => {
  const password = 'a/b@$&'
  for (const [before, after] of [
    ['redis://redis:6379/1', 'redis://:a%2Fb%40%24%26@redis:6379/1'],
    ['redis://user:old@redis', 'redis://user:a%2Fb%40%24%26@redis'],
    ['redis+sentinel://user@one:1,two:2/weather', 'redis+sentinel://user:a%2Fb%40%24%26@one:1,two:2/weather'],
  ] as const) {
    expect(withRedisPassword(before, password)).toBe(after)
    expect(decodeURIComponent(readRedisAddress(after)?.url.password ?? '')).toBe(password)
  }
})
