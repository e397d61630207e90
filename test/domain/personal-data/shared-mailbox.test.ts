import { beforeEach, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { erasePersonalData } from '#domain/personal-data/erase.ts'
import { findPersonalData } from '#domain/personal-data/find.ts'
import { findPerson } from '#domain/personal-data/person.ts'
import { personMatcherOf } from '#domain/personal-data/person-matcher.ts'
import { rowsMentioning, type TextColumns, textColumns } from '#domain/personal-data/text-columns.ts'
import { createProperties } from '#domain/properties/batch.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

const EMAIL = 'office@example.org'
/** As many names as a property manager's office, or an attacker, writes with one address. */
const NAMES = 400
const PROPERTIES = 40
const POSTS = 5_000

let world: World
let caller: Caller
beforeEach(async () => {
  world = await openWorld()
  caller = await aCaller(world, await aTeam(world, { plan: 'enterprise' }))
})

/** Two words that no other name has. */
const nameOf = (nth: number) => `Quill${wordOf(nth)} Feather${wordOf(nth + NAMES)}`
const wordOf = (nth: number) => [...String(nth)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
const phoneOf = (nth: number) => `+1 405 ${String(2000000 + nth * 7919).replace(/^(...)/, '$1 ')}`

it('one address with hundreds of names is found and erased wherever one of them is named', async () => {
  const made = await createProperties(
    world.app,
    caller,
    {
      properties: Array.from({ length: PROPERTIES }, (_, at) => ({
        address: `${at + 1} Main St, Moore, OK 73160`,
        label: `House of ${nameOf(at)}`,
        notes: `call ${phoneOf(at + PROPERTIES)} or ${nameOf(at + PROPERTIES).toUpperCase()}`,
      })),
    },
    null,
  )
  expect(made).toBeDefined()
  const { pool } = world.app
  await pool.query(
    `INSERT INTO contacts (team_id, property_id, name, email, phone, "primary", role)
     SELECT $1, p.id, n.name, $2, n.phone, n.at <= ${PROPERTIES}, 'other'
       FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS n(name, phone, at)
       JOIN (SELECT id, row_number() OVER (ORDER BY id) AS at FROM properties WHERE team_id = $1) p ON p.at = 1 + n.at % ${PROPERTIES}`,
    [caller.team.id, EMAIL, Array.from({ length: NAMES }, (_, at) => nameOf(at)), Array.from({ length: NAMES }, (_, at) => phoneOf(at))],
  )
  const found = await findPersonalData(world.app, caller, EMAIL)
  expect(found.contacts).toHaveLength(NAMES)
  const fields = (mentions: { record: string; field: string }[]) =>
    mentions.filter(({ record }) => record === 'property').map(({ field }) => field)
  expect(fields(found.mentions).sort()).toEqual([...Array(PROPERTIES).fill('label'), ...Array(PROPERTIES).fill('notes')])
  const erased = await erasePersonalData(world.app, caller, EMAIL)
  expect(erased.contacts).toHaveLength(NAMES)
  expect(fields(erased.mentions)).toHaveLength(2 * PROPERTIES)
  expect(await findPersonalData(world.app, caller, EMAIL)).toMatchObject({ contacts: [], mentions: [] })
  const { rows } = await pool.query(
    "SELECT count(*)::int AS named FROM properties WHERE team_id = $1 AND concat(label, notes) ~* 'quill|feather|405'",
    [caller.team.id],
  )
  expect(rows).toEqual([{ named: 0 }])
})

it('a person is found and erased among any number of posts, at most a hundred per statement', async () => {
  await createProperties(world.app, caller, { properties: [{ address: '1 Main St, Moore, OK 73160' }] }, null)
  await world.owner.query(
    `INSERT INTO contacts (team_id, property_id, name, email, "primary", role)
     SELECT $1, id, 'Jane Quillfeather', $2, true, 'other' FROM properties WHERE team_id = $1`,
    [caller.team.id, EMAIL],
  )
  await world.owner.query(
    `INSERT INTO deliveries (id, team_id, event, integration_id, kind, channel, status, subject, address_hint, exposure_ids, body)
     SELECT gen_random_uuid(), $1, 'exposure.detected', gen_random_uuid(), 'test', 'webhook', 'sent',
            CASE WHEN n % 500 = 0 THEN 'For Jane Quillfeather' ELSE 'Hail' END, 'x', '{}', to_json(repeat(md5(n::text), 40))::text
       FROM generate_series(1, $2::int) AS n`,
    [caller.team.id, POSTS],
  )
  const deliveries = textColumns.find(({ table }) => table === 'deliveries') as TextColumns
  const looked_at: number[] = []
  await caller.db.$transaction(async (tx) => {
    const watched = {
      $executeRawUnsafe: tx.$executeRawUnsafe.bind(tx),
      $queryRawUnsafe: async <Rows>(text: string): Promise<Rows> => {
        const rows = await tx.$queryRawUnsafe<Rows>(text)
        looked_at.push((rows as unknown[]).length)
        return rows
      },
    }
    const matcher = personMatcherOf(await findPerson(tx, EMAIL))
    const found = await rowsMentioning(watched as never, caller.team.id, deliveries, matcher)
    expect(found).toHaveLength(POSTS / 500)
    // Nothing else of a post is kept in memory.
    expect(found[0]).toEqual({
      id: expect.any(String),
      property_id: null,
      named: [{ field: 'subject', text: 'For Jane Quillfeather' }],
    })
  })
  expect(looked_at).toEqual([...Array(POSTS / 100).fill(100), 0])
  expect((await findPersonalData(world.app, caller, EMAIL)).mentions).toHaveLength(POSTS / 500)
  expect((await erasePersonalData(world.app, caller, EMAIL)).mentions).toHaveLength(POSTS / 500)
})
