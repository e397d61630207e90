import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seal } from '#domain/engines/sealed.ts'
import { readRing, secretKey } from '#domain/kernel/secret-ring.ts'
import { createApiServer } from '#rest/host.ts'
import { aTeam } from '#test/support/factories.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const [OLD, NEW] = [1, 2].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer]
let world: World
let close: () => Promise<unknown>
let weather: Terminal
const id = randomUUID()

beforeAll(async () => {
  world = await openWorld({ config: { secret_keys: readRing(`new:${NEW.toString('base64')},old:${OLD.toString('base64')}`) } })
  const before = { config: { secret_keys: [secretKey(null, OLD)] as [ReturnType<typeof secretKey>] } }
  const { id: team_id } = await aTeam(world)
  await world.app.db.integration.create({
    data: {
      ...{ id, team_id, name: 'Receiver', channel: 'webhook', address_hint: 'a.example', events: [] },
      ...{ url_encrypted: seal(before, 'https://a.example', `url ${id}`), secret_encrypted: seal(before, 'whsec_', `secret ${id}`) },
    },
  })
  const api = await createApiServer(world.app)
  close = () => api.close()
  weather = await openTerminal({ WEATHER_URL: await api.listen({ host: '127.0.0.1', port: 0 }), WEATHER_OPERATOR_KEY: OPERATOR_KEY })
})
afterAll(async () => {
  await close?.()
  await world?.close()
})

test('the doctor reports which values still need an older key', async () => {
  expect(await weather('doctor', '--json')).toMatchObject({
    status: 0,
    stdout: '[]\n',
    stderr: 'Key old of WEATHER_SECRET_KEY: 2 values are still sealed by it: run weather keys reseal.\n',
  })
})

test('a worker encrypts values again, and the older key can be removed', async () => {
  const result = await weather('keys', 'reseal', '--json')
  expect(result.status).toBe(0)
  expect(JSON.parse(result.stdout)).toMatchObject([
    { name: 'new', values: 0 },
    { name: 'old', values: 2, removable: false },
  ])
  await world.drain()
  const done = await weather('keys', 'status', '--json')
  expect(JSON.parse(done.stdout)).toMatchObject([
    { name: 'new', seals: true, values: 2 },
    { name: 'old', seals: false, values: 0, removable: true },
  ])
  expect(await weather('keys', 'reseal', '--wait')).toMatchObject({ status: 0 })
})

test('values that no key can decrypt fail the doctor', async () => {
  const lost = { config: { secret_keys: [secretKey(null, Buffer.alloc(32, 9))] as [ReturnType<typeof secretKey>] } }
  await world.app.db.integration.update({ where: { id }, data: { url_encrypted: seal(lost, 'https://a.example', `url ${id}`) } })
  const message = 'A sealed value opens with no key of WEATHER_SECRET_KEY: restore the key that sealed them.\n'
  expect(await weather('doctor')).toMatchObject({ status: 1, stderr: expect.stringContaining(message) })
  expect(await weather('keys', 'status')).toMatchObject({ status: 1, stderr: message })
})
