import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { migrate } from '#domain/engines/migrations.ts'

const MESSAGES = '20261122000300_warning_messages'

let client: pg.Client
let folder: string
let url: string
beforeAll(async () => {
  const database = `${inject('databases')}held_warnings`
  const server = new pg.Client({ connectionString: inject('postgres') })
  await server.connect()
  await server.query(`CREATE DATABASE ${database}`)
  await server.end()
  url = inject('postgres').replace(/postgres$/, database)
  folder = await mkdtemp(path.join(tmpdir(), 'weather-held-'))
  for (const name of await readdir('migrations'))
    if (name < MESSAGES || name.endsWith('.toml')) await cp(path.join('migrations', name), path.join(folder, name), { recursive: true })
  await migrate(url, folder)
  client = new pg.Client({ connectionString: url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await rm(folder, { recursive: true, force: true })
})

/** Writes a warning as the earlier version does: only its newest message. */
const hold = (number: number, action: string, sent: string, cancelled: string | null = null) =>
  client.query(
    `INSERT INTO warnings (source_key, identifier, event, status, message_type, severity, certainty, urgency, issued_at, ends_at, cancelled_at, office_id,
       office_name, vtec, phenomenon, significance, tracking_number, threats, geometry, geometry_basis, county_fips, citation_url, sent_at)
     VALUES ('KFWD.SV.W.' || lpad($1::text, 4, '0') || '.2025', 'urn:' || $3, 'Severe Thunderstorm Warning', 'actual', 'alert', 'severe', 'observed', 'immediate',
       '2025-05-28T23:10Z', '2025-05-28T23:45Z', $4, 'KFWD', 'NWS Fort Worth', '/O.' || $2 || '.KFWD.SV.W.' || lpad($1::text, 4, '0') || '.000000T0000Z-250528T2345Z/',
       'SV', 'W', $1::int, '{"max_hail_in": 1.75}', '{"type": "Polygon"}', 'storm', '{48085}', 'x', $3::timestamptz)
     ON CONFLICT (source_key) DO UPDATE SET identifier = excluded.identifier, vtec = excluded.vtec, sent_at = excluded.sent_at, cancelled_at = excluded.cancelled_at`,
    [number, action, sent, cancelled],
  )

const messages = async () =>
  (
    await client.query(
      `SELECT w.tracking_number AS number, m.action, m.sent_at, m.begins_at, m.ends_at, m.threats, m.geometry, m.county_fips, m.made
         FROM warning_messages m JOIN warnings w ON w.id = m.warning_id ORDER BY w.tracking_number, m.sent_at`,
    )
  ).rows

const shared = {
  begins_at: new Date('2025-05-28T23:10:00Z'),
  ends_at: new Date('2025-05-28T23:45:00Z'),
  threats: { max_hail_in: 1.75 },
  geometry: { type: 'Polygon' },
  county_fips: ['48085'],
  made: true,
}

it('creates one message for each stored warning, and for each that the earlier version still writes', async () => {
  await hold(1, 'CON', '2025-05-28T23:20:00Z')
  await hold(2, 'CAN', '2025-05-28T23:30:00Z', '2025-05-28T23:30:00Z')
  expect(await migrate(url, 'migrations')).toContain(MESSAGES)
  const one = { ...shared, number: 1, action: 'CON', sent_at: new Date('2025-05-28T23:20:00Z') }
  const two = { ...shared, number: 2, action: 'CAN', sent_at: new Date('2025-05-28T23:30:00Z') }
  expect(await messages()).toEqual([one, two])

  await hold(3, 'NEW', '2025-05-28T23:10:00Z')
  await hold(1, 'CAN', '2025-05-28T23:35:00Z', '2025-05-28T23:35:00Z')
  await hold(2, 'CAN', '2025-05-28T23:30:00Z', '2025-05-28T23:30:00Z')
  expect(await messages()).toEqual([
    one,
    { ...one, action: 'CAN', sent_at: new Date('2025-05-28T23:35:00Z') },
    two,
    { ...shared, number: 3, action: 'NEW', sent_at: new Date('2025-05-28T23:10:00Z') },
  ])
})
