import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFirstTeam } from '#domain/access/first-team.ts'
import type { App } from '#domain/app.ts'
import { type Belonging, openSealed, seal, sealedColumns } from '#domain/engines/sealed.ts'
import { readRing, secretKey } from '#domain/kernel/secret-ring.ts'
import { signingKeys } from '#domain/reports/signing/keys.ts'
import { resealValues } from '#domain/secret-keys/reseal.ts'
import { announceRing } from '#domain/secret-keys/rings.ts'
import { secretKeysStatus } from '#domain/secret-keys/status.ts'
import { aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { aRule } from '../alerts/alerts.ts'

const [OLD, NEW] = [1, 2].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer]
const named = (name: string, key: Buffer) => `${name}:${key.toString('base64')}`
/** More than two batches. */
const DESTINATIONS = 450

let world: World
beforeEach(async () => {
  world = await openWorld({ config: { secret_keys: [secretKey(null, OLD)] } })
})

const under = (setting: string): App => ({ ...world.app, config: { ...world.app.config, secret_keys: readRing(setting) } })
const turned = () => under(`${named('new', NEW)},${named('old', OLD)}`)
const urlOf = (place: number) => `https://receiver.example/${place}`

async function fill(app: App): Promise<void> {
  const { id: team_id } = await aTeam(world)
  const integrations = Array.from({ length: DESTINATIONS }, (_, place) => {
    const id = randomUUID()
    const shared = {
      id,
      team_id,
      name: `${place}`,
      channel: place % 2 ? ('webhook' as const) : ('chat_a' as const),
      events: [],
      address_hint: 'receiver.example',
    }
    return {
      ...shared,
      url_encrypted: seal(app, urlOf(place), `url ${id}`),
      secret_encrypted: place % 2 ? seal(app, `whsec_${place}`, `secret ${id}`) : null,
    }
  })
  await world.app.db.integration.createMany({ data: integrations })
  await signingKeys(app)
}

/** How many destination addresses a ring opens to the right value, and how many of the other values. */
async function opened(app: App): Promise<{ urls: number; secrets: number; keys: number }> {
  const rows = await world.app.db.integration.findMany()
  const keys = await world.app.db.signingKey.findMany()
  const opens = (value: Uint8Array | null, belongs: Belonging) => (value ? openSealed(app, value, belongs)?.text : undefined)
  return {
    urls: rows.filter((row) => opens(row.url_encrypted, `url ${row.id}`) === urlOf(Number(row.name))).length,
    secrets: rows.filter((row) => opens(row.secret_encrypted, `secret ${row.id}`) === `whsec_${row.name}`).length,
    keys: keys.filter((row) => opens(row.sealed_private_key, `signing key ${row.id}`)?.includes('PRIVATE KEY')).length,
  }
}
const ALL = { urls: DESTINATIONS, secrets: DESTINATIONS / 2, keys: 1 }
const NONE = { urls: 0, secrets: 0, keys: 0 }
const VALUES = DESTINATIONS * 1.5 + 1

/** The same App, whose pool runs something else before the nth statement with this beginning. */
function meddled(app: App, begins: string, nth: number, meddle: () => Promise<unknown>): App {
  let seen = 0
  const pool = Object.assign(Object.create(app.pool), {
    async query(text: string, values: unknown[]) {
      if (text.startsWith(begins) && ++seen === nth) await meddle()
      return app.pool.query(text, values)
    },
  }) as pg.Pool
  return { ...app, pool }
}

describe('resealing', () => {
  it('covers every column of the schema with sealed values', async () => {
    const { rows } = await world.owner.query(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
        WHERE table_schema = 'public' AND data_type = 'bytea' AND column_name ~ '(encrypted|sealed)' ORDER BY 1, 2`,
    )
    const known = Object.values(sealedColumns).map(({ table, column }) => ({ table, column }))
    expect(rows).toEqual(known.sort((one, other) => `${one.table}${one.column}`.localeCompare(`${other.table}${other.column}`)))
  })

  it('leaves nothing under the older key, which can then be removed', async () => {
    await fill(world.app)
    expect(await opened(under(named('new', NEW)))).toEqual(NONE)
    expect(await resealValues(turned())).toEqual({ resealed: VALUES, unopened: 0 })
    expect(await opened(under(named('new', NEW)))).toEqual(ALL)
    expect(await resealValues(turned())).toEqual({ resealed: 0, unopened: 0 })
    // And back under an unnamed key, as an earlier version without names opens them.
    expect(await resealValues(under(`${named('old', OLD)},${named('new', NEW)}`))).toMatchObject({ resealed: VALUES })
    expect(await resealValues(world.app)).toEqual({ resealed: VALUES, unopened: 0 })
    expect(await opened(world.app)).toEqual(ALL)
  })

  it('can be interrupted without loss and continues from there', async () => {
    await fill(world.app)
    const killed = meddled(turned(), 'UPDATE integrations', 2, () => Promise.reject(new Error('killed')))
    await expect(resealValues(killed)).rejects.toThrow('killed')
    expect(await opened(turned())).toEqual(ALL)
    expect((await opened(under(named('new', NEW)))).urls).toBe(200)
    expect(await resealValues(turned())).toEqual({ resealed: VALUES - 200, unopened: 0 })
    expect(await opened(under(named('new', NEW)))).toEqual(ALL)
  })

  it('never overwrites a concurrent change', async () => {
    await fill(world.app)
    const { id } = await world.app.db.integration.findFirstOrThrow({ where: { name: '7' } })
    const rotated = () =>
      world.app.db.integration.update({ where: { id }, data: { url_encrypted: seal(world.app, 'https://moved.example', `url ${id}`) } })
    const { resealed } = await resealValues(meddled(turned(), 'UPDATE integrations', 1, rotated))
    const present = async () => (await world.app.db.integration.findUniqueOrThrow({ where: { id } })).url_encrypted
    expect(openSealed(turned(), await present(), `url ${id}`)?.text).toBe('https://moved.example')
    expect((await resealValues(turned())).resealed).toBeGreaterThanOrEqual(VALUES - resealed)
    expect(openSealed(under(named('new', NEW)), await present(), `url ${id}`)?.text).toBe('https://moved.example')
  })

  it('leaves values that no key opens unchanged, and finishes', async () => {
    await fill(world.app)
    const strange = under(`${named('new', NEW)},${named('third', Buffer.alloc(32, 3))}`)
    expect(await resealValues(strange)).toEqual({ resealed: 0, unopened: VALUES })
    expect(await opened(world.app)).toEqual(ALL)
  })

  it('can run twice at once', async () => {
    await fill(world.app)
    const [one, other] = await Promise.all([resealValues(turned()), resealValues(turned())])
    expect(one.resealed + other.resealed).toBe(VALUES)
    expect(await opened(under(named('new', NEW)))).toEqual(ALL)
  })
})

it('a process does not start beside others with which it shares no key', async () => {
  const running = await announceRing(under(`${named('old', OLD)},${named('new', NEW)}`))
  const stranger = under(named('other', Buffer.alloc(32, 9)))
  await expect(announceRing(stranger)).rejects.toThrow('WEATHER_SECRET_KEY has no key of the processes that run')
  const beside = await announceRing(under(named('new', NEW)))
  await beside.end()
  await running.end()
  // The key may be lost: once nothing else runs, a new one begins.
  await (await announceRing(stranger)).end()
})

describe('the status of the keys', () => {
  const statusOf = async (app: App) => {
    const { keys, unopened } = await secretKeysStatus(app)
    return { keys: keys.map(({ name, values, removable, said }) => [name, values, removable, said]), unopened }
  }

  it('is correct at each step of a rotation', async () => {
    await fill(world.app)
    const bare = await announceRing(world.app)
    expect(await statusOf(world.app)).toEqual({ keys: [[null, VALUES, false, 'It seals.']], unopened: 0 })

    const withBothKeys = under(`${named('old', OLD)},${named('new', NEW)}`)
    const first = await announceRing(withBothKeys)
    expect((await statusOf(withBothKeys)).keys).toEqual([
      ['old', VALUES, false, 'It seals.'],
      [
        'new',
        0,
        true,
        'Nothing is sealed by it. It may be taken out; before it goes first, restart: a running process does not hold it yet.',
      ],
    ])
    await bare.end()
    expect((await statusOf(withBothKeys)).keys[1]?.[3]).toBe(
      'Nothing is sealed by it, and every process holds it: it may go first, or be taken out.',
    )

    const second = await announceRing(turned())
    expect((await statusOf(turned())).keys[1]).toEqual([
      'old',
      VALUES,
      false,
      'a running process does still seal with it: restart with the new order.',
    ])
    await first.end()
    expect((await statusOf(turned())).keys[1]?.[3]).toBe(`${VALUES} values are still sealed by it: run weather keys reseal.`)
    await resealValues(turned())
    expect((await statusOf(turned())).keys).toEqual([
      ['new', VALUES, false, 'It seals.'],
      ['old', 0, false, expect.stringMatching(/^Nothing is sealed by it. Links that it signed expire at .*Z: it may be taken out then.$/)],
    ])
    await world.app.pool.query("UPDATE secret_key_rings SET seen_at = seen_at - interval '16 minutes' WHERE ended_at IS NOT NULL")
    expect((await statusOf(turned())).keys[1]).toEqual(['old', 0, true, expect.stringContaining('it may go first, or be taken out')])
    await second.end()

    // Removed too early, without a look at the status.
    expect(await statusOf(under(named('old', OLD)))).toEqual({ keys: [['old', 0, false, 'It seals.']], unopened: VALUES })
  })

  it('says for how long the links of sent alert mails need an older key', async () => {
    const ended = await announceRing(world.app)
    await ended.end()
    await world.app.pool.query("UPDATE secret_key_rings SET seen_at = seen_at - interval '29 days'")
    const oldKey = async () => (await statusOf(turned())).keys[1]
    expect(await oldKey()).toMatchObject(['old', 0, true, expect.any(String)])
    const rule = await aRule(world, await aTeam(world))
    const mail = { team_id: rule.team_id, rule_id: rule.id, email: 'desk@example.com', subject: 'Hail', exposure_ids: [1] }
    const sent_at = world.clock.now()
    await world.app.db.alertMail.create({ data: { ...mail, status: 'sent', send_after: sent_at, sent_at } })
    // A process that starts keeps what is known of the old key.
    const running = await announceRing(turned())
    const inForce = /^Nothing is sealed by it. Alert mails carry links .* for 30 days, until .*Z: it may be taken out then.$/
    expect(await oldKey()).toEqual(['old', 0, false, expect.stringMatching(inForce)])
    await world.app.pool.query("UPDATE secret_key_rings SET seen_at = seen_at - interval '1 day' WHERE ended_at IS NOT NULL")
    expect(await oldKey()).toMatchObject(['old', 0, true, expect.any(String)])
    await running.end()
  })

  it("names the key from which the first start's token is derived, before the key is removed", async () => {
    const oldKey = async () => (await secretKeysStatus(turned())).keys[1]
    const oldKeyMessage = async () => (await oldKey())?.said
    expect(await oldKeyMessage()).not.toContain('first start')
    const { token } = await createFirstTeam(world.app)
    // A rotation may remove the key as soon as it is removable.
    expect(await oldKey()).toMatchObject({
      values: 0,
      removable: false,
      said: expect.stringMatching(/^The token of the first start is derived from it and stops working with it: .* Nothing else needs it.$/),
    })
    expect((await createFirstTeam(turned())).token).toBe(token)
    expect((await createFirstTeam(under(named('new', NEW)))).token).not.toBe(token)
    expect(await oldKeyMessage()).not.toContain('first start')
    expect(await oldKey()).toMatchObject({ removable: true })
  })
})
