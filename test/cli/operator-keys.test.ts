import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiServer } from '#rest/host.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { openTerminal, type Terminal } from './terminal.ts'
import { openTmux, tmuxIsThere } from './tmux.ts'

let world: World
let close: () => Promise<unknown>
let url: string
let weather: Terminal

beforeAll(async () => {
  world = await openWorld()
  const api = await createApiServer(world.app)
  close = () => api.close()
  url = await api.listen({ host: '127.0.0.1', port: 0 })
  weather = await openTerminal({ WEATHER_URL: url, WEATHER_OPERATOR_KEY: OPERATOR_KEY })
})
afterAll(async () => {
  await close?.()
  await world?.close()
})

test('an operator key can be issued, does what its roles allow, is listed and can be revoked', async () => {
  const issued = await weather('operator', 'keys', 'issue', '--name', 'accounts', '--role', 'read', '--role', 'billing', '--json')
  expect(issued.status).toBe(0)
  const { key, prefix } = JSON.parse(issued.stdout)
  const accounts = await openTerminal({ WEATHER_URL: url, WEATHER_OPERATOR_KEY: key })
  expect(await accounts('doctor')).toMatchObject({ status: 0 })
  expect(await accounts('operator', 'keys', 'list')).toMatchObject({ status: 4, stderr: expect.stringContaining('lacks the role all') })
  expect(await accounts('archive', 'forget', 'sample')).toMatchObject({
    status: 4,
    stderr: expect.stringContaining('lacks the role archive'),
  })

  const listed = await weather('operator', 'keys', 'list', '--json')
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { name: 'environment', prefix: null, roles: ['all'] },
    { name: 'accounts', prefix, roles: ['read', 'billing'], last_used_at: expect.any(String), revoked_at: null },
  ])
  expect(listed.stdout).not.toContain(key)

  expect(await weather('operator', 'keys', 'revoke', '--name', 'accounts')).toMatchObject({ status: 0 })
  expect(await accounts('doctor')).toMatchObject({ status: 4 })
  expect(await weather('operator', 'keys', 'revoke', '--name', 'nobody')).toMatchObject({ status: 3 })
  expect(await weather('operator', 'keys', 'issue', '--name', 'accounts', '--role', 'root')).toMatchObject({ status: 7 })
})

test.skipIf(!tmuxIsThere)('at a terminal, what cannot be undone is asked for first', async () => {
  await weather('operator', 'keys', 'issue', '--name', 'ann', '--role', 'read')
  const settings = { WEATHER_URL: url, WEATHER_OPERATOR_KEY: OPERATOR_KEY }
  const terminal = await openTmux(100, 10, settings, ['operator', 'keys', 'revoke', '--name', 'ann'])
  await terminal.shows('Revoke the operator key ann for good? [y/N]')
  await terminal.type('n', 'Enter')
  expect(await terminal.shows('ended with 1')).toContain('Nothing was changed.')
  await terminal.close()
  const [, , key] = JSON.parse((await weather('operator', 'keys', 'list', '--json')).stdout)
  expect(key).toMatchObject({ name: 'ann', revoked_at: null })
})
