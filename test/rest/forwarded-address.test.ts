import { expect, test } from 'vitest'
import { createApiServer } from '#rest/host.ts'
import { openWorld } from '#test/support/world.ts'

test('a client behind a proxy that states ports too is one address, whatever its port', async () => {
  const { app } = await openWorld()
  const api = await createApiServer({ ...app, config: { ...app.config, trust_proxy: 1 } })
  const statusFrom = async (forwarded: string) => {
    const headers = { authorization: 'Bearer wt_no-token-at-all', 'x-forwarded-for': forwarded }
    return (await api.inject({ url: '/api/v1/account', headers })).statusCode
  }
  // 300 refused credentials of an address are answered in a minute.
  for (const [client, other] of [
    [(port: number) => `192.0.2.1:${port}`, '192.0.2.2:40000'],
    [(port: number) => `198.51.100.9, [2001:db8::1]:${port}`, '[2001:db8:1::2]:40000'],
  ] as const) {
    const statuses: number[] = []
    for (let port = 50_000; port <= 50_300; port++) statuses.push(await statusFrom(client(port)))
    expect(new Set(statuses.slice(0, 5))).toEqual(new Set([401]))
    expect(statuses.at(-1)).toBe(429)
    expect(await statusFrom(other)).toBe(401)
  }
})
