import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { unseal } from '#domain/engines/sealed.ts'
import { changeDestination, registerDestination } from '#domain/integrations/destinations.ts'
import { readSecret, rotateSecret } from '#domain/integrations/secret.ts'
import { type SecretRing, secretKey } from '#domain/kernel/secret-ring.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { lockWaits } from '#test/support/lock-waits.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld } from '#test/support/world.ts'

it('refuses a url whose channel somebody else changes while the url is checked', async () => {
  const { app, caller, id } = await aWebhook()
  const changeChannel = async () => {
    await changeDestination(app, caller, id, { channel: 'chat_b', url: 'http://127.0.0.1:9/chat' })
    return null
  }
  const racingApp = { ...app, poster: { ...app.poster, objection: changeChannel } }
  const refused = {
    code: 'url_required',
    message: 'Someone changed the channel at the same time. Send the url together with its channel.',
  }
  await expect(changeDestination(racingApp, caller, id, { url: 'http://127.0.0.1:9/webhook' })).rejects.toMatchObject(refused)
  expect(await app.db.integration.findUniqueOrThrow({ where: { id } })).toMatchObject({
    channel: 'chat_b',
    address_hint: 'http://127.0.0.1:9/…chat',
  })
  expect(await changeDestination(app, caller, id, { url: 'http://127.0.0.1:9/other' })).toMatchObject({ channel: 'chat_b' })
})

it('looks up no name for a destination that is refused anyway', async () => {
  const { app, caller } = await aWebhook()
  const names: string[] = []
  const objection = async ({ hostname }: URL) => {
    names.push(hostname)
    return null
  }
  const watchedApp = { ...app, poster: { ...app.poster, objection } }
  const body = { name: 'Hook', channel: 'webhook' as const, url: 'https://hooks.example.com/a', events: ['exposure.detected' as const] }
  const register = (sent: object, as = caller) => registerDestination(watchedApp, as, { ...body, ...sent })
  await expect(register({ name: '' })).rejects.toMatchObject({ code: 'validation_failed' })
  await expect(register({}, { ...caller, team: { ...caller.team, lapsed: true } })).rejects.toMatchObject({ details: { limit: 'lapsed' } })
  expect(names).toEqual([])
  for (let more = 1; more < 10; more++) await register({ name: `Hook ${more}` })
  await expect(register({})).rejects.toMatchObject({ code: 'destination_cap_reached' })
  expect(names).toHaveLength(9)
})

it('reports that it has no secret if its channel changes during a secret rotation', async () => {
  const { app, caller, owner, id } = await aWebhook()
  const other = await owner.connect()
  await other.query('BEGIN')
  await other.query("UPDATE integrations SET channel = 'chat_b', secret_encrypted = NULL WHERE id = $1", [id])
  const rotating = rotateSecret(app, caller, id).catch((refusal: unknown) => refusal)
  await waitUntil(async () => (await lockWaits(owner)) > 0)
  await other.query('COMMIT')
  other.release()
  expect(await rotating).toMatchObject({ code: 'no_signing_secret' })
  await expect(readSecret(app, caller, id)).rejects.toMatchObject({ code: 'no_signing_secret' })
})

it('is repaired after the key of the install was lost: it can be changed, its url saved again and its secret rotated', async () => {
  const { app, caller, id } = await aWebhook()
  const secret_keys: SecretRing = [secretKey(null, randomBytes(32))]
  const newApp = { ...app, config: { ...app.config, secret_keys } }
  await expect(readSecret(newApp, caller, id)).rejects.toMatchObject({
    code: 'no_signing_secret',
    message: expect.stringContaining('Rotate it'),
  })
  expect(await changeDestination(newApp, caller, id, { name: 'Paused', active: false })).toMatchObject({ name: 'Paused', active: false })
  const url = 'http://127.0.0.1:9/first'
  await changeDestination(newApp, caller, id, { url, active: true })
  const { url_encrypted } = await app.db.integration.findUniqueOrThrow({ where: { id } })
  expect(unseal(newApp, url_encrypted, `url ${id}`)).toBe(url)
  const { secret } = await rotateSecret(newApp, caller, id)
  expect(await readSecret(newApp, caller, id)).toMatchObject({ secret })
})

it('is named by a refusal if its registration is repeated after the key of the install was lost', async () => {
  const { app, caller } = await aWebhook()
  const input = { name: 'Again', channel: 'webhook' as const, url: 'http://127.0.0.1:9/again', events: ['exposure.detected' as const] }
  const repeated = { key: 'k', method: 'graphql', path: 'createIntegration', body: input }
  const { integration } = await registerDestination(app, caller, input, repeated)
  const newApp = { ...app, config: { ...app.config, secret_keys: [secretKey(null, randomBytes(32))] as SecretRing } }
  await expect(registerDestination(newApp, caller, input, repeated)).rejects.toMatchObject({
    code: 'no_signing_secret',
    message: expect.stringContaining(integration.id),
  })
  expect(await app.db.integration.count()).toBe(2)
})

async function aWebhook() {
  const world = await openWorld({ config: { webhook_allowed_networks: ['127.0.0.0/8'] } })
  const caller = await aCaller(world, await aTeam(world))
  const input = { name: 'Receiver', channel: 'webhook', url: 'http://127.0.0.1:9/first', events: ['exposure.detected'] }
  const { integration } = await registerDestination(world.app, caller, input)
  return { app: world.app, owner: world.owner, caller, id: integration.id }
}
