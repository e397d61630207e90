import { expect, test } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { appendPending } from '#domain/fingerprint-log/append.ts'
import { checkLog } from '#domain/fingerprint-log/check-log.ts'
import { logEntry } from '#domain/fingerprint-log/entry.ts'
import { requestReport } from '#domain/reports/request.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

const entryOf = (number: number) => logEntry(Buffer.alloc(32, 7), number.toString(16).padStart(64, '0'))

/** A log of 600 entries under five checkpoints, with one report in it. */
async function aLog(): Promise<World> {
  const world = await openWorld()
  await seedSample(world.app)
  const caller = await aCaller(world, await aTeam(world))
  const { address, window_start, window_end, radius_miles } = sampleStorm
  await requestReport(world.app, caller, { address, window_start, window_end, radius_miles }, null)
  await world.drain()
  for (const [from, to] of [
    [0, 3],
    [3, 255],
    [255, 256],
    [256, 599],
  ] as const) {
    const entries = Array.from({ length: to - from }, (_, at) => entryOf(from + at))
    await world.app.pool.query('INSERT INTO fingerprint_log_pending (entry) SELECT * FROM unnest($1::bytea[])', [entries])
    await appendPending(world.app)
  }
  return world
}

/** Changes rows without the triggers, as someone with access to the disk can. */
async function tamper({ owner }: World, statement: string): Promise<void> {
  const client = await owner.connect()
  try {
    await client.query('SET session_replication_role = replica')
    await client.query(statement)
    await client.query('RESET session_replication_role')
  } finally {
    client.release()
  }
}

test('an untouched log has no faults, also while it is empty', async () => {
  expect(await checkLog((await openWorld()).app)).toEqual([])
  expect(await checkLog((await aLog()).app)).toEqual([])
})

test('what is appended while a log is checked is not a fault', async () => {
  const { app } = await aLog()
  const connect = async () => {
    const client = await app.pool.connect()
    const query = client.query.bind(client) as (...words: unknown[]) => Promise<unknown>
    const appending = async (...words: [{ name?: string }, ...unknown[]]) => {
      if (words[0].name === 'log.check.tiles') {
        await app.pool.query('INSERT INTO fingerprint_log_pending (entry) VALUES ($1)', [entryOf(600)])
        await appendPending(app)
      }
      return query(...words)
    }
    return Object.assign(client, { query: appending })
  }
  expect(await checkLog({ pool: Object.create(app.pool, { connect: { value: connect } }) })).toEqual([])
  expect(await checkLog(app)).toEqual([])
})

test.each([
  [
    'an entry that was changed',
    "UPDATE fingerprint_log_entries SET entry = decode(repeat('02', 32), 'hex') WHERE index = 300",
    /checkpoint of 600 entries has a root that does not match/,
  ],
  [
    'an entry that was taken',
    'DELETE FROM fingerprint_log_entries WHERE index = 300',
    /lacks entry 300, but a checkpoint states that it has 600/,
  ],
  [
    'entries that no checkpoint knows',
    'DELETE FROM fingerprint_log_checkpoints WHERE size = 600',
    /343 entries beyond its last checkpoint/,
  ],
  [
    'a tile that was changed',
    'UPDATE fingerprint_log_tiles SET hashes = set_byte(hashes, 5, 255 - get_byte(hashes, 5)) WHERE level = 1',
    /Tile 1\/0 of the log/,
  ],
  ['a tile that is gone', 'DELETE FROM fingerprint_log_tiles WHERE level = 0 AND index = 2', /Tile 0\/2 of the log/],
  [
    'a checkpoint of another tree',
    'UPDATE fingerprint_log_checkpoints SET note = (SELECT note FROM fingerprint_log_checkpoints WHERE size = 4) WHERE size = 256',
    /checkpoint of 256 entries has a root that does not match/,
  ],
  [
    'a checkpoint that nobody signed',
    "UPDATE fingerprint_log_checkpoints SET note = overlay(note PLACING 'AAAA' FROM length(note) - 20) WHERE size = 4",
    /checkpoint of 4 entries is not signed with any known key/,
  ],
  [
    'a checkpoint that is none',
    "UPDATE fingerprint_log_checkpoints SET note = 'x' WHERE size = 4",
    /checkpoint of 4 entries cannot be read/,
  ],
  [
    'a report that is in no log',
    "UPDATE reports SET log_salt = decode(repeat('09', 32), 'hex')",
    /has no entry in the log and no pending one/,
  ],
])('finds %s', async (_what, statement, message) => {
  const world = await aLog()
  await tamper(world, statement)
  expect((await checkLog(world.app)).join('\n')).toMatch(message)
})
