import { createPublicKey, type KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { appendPending } from '#domain/fingerprint-log/append.ts'
import { readCheckpoint } from '#domain/fingerprint-log/checkpoint.ts'
import { logEntry } from '#domain/fingerprint-log/entry.ts'
import { rotateLogKey } from '#domain/fingerprint-log/log-key.ts'
import { consistencyRanges, leafHash } from '#domain/fingerprint-log/merkle.ts'
import { newestCheckpoint, readHashes, readTileBytes } from '#domain/fingerprint-log/read.ts'
import { NOTE_KEY_TYPES, signsNote } from '#domain/fingerprint-log/signed-note.ts'
import { removeReport } from '#domain/reports/remove.ts'
import { requestReport } from '#domain/reports/request.ts'
import { publishedKeys } from '#domain/reports/signing/published-keys.ts'
import { reportVerification } from '#domain/reports/verification.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { provesConsistency, provesInclusion } from '#test/support/merkle-proofs.ts'
import { openWorld, type World } from '#test/support/world.ts'

const { address, window_start, window_end, radius_miles } = sampleStorm
const input = { address, window_start, window_end, radius_miles }

const entryOf = (number: number) => logEntry(Buffer.alloc(32, 7), number.toString(16).padStart(64, '0'))

const wait = (world: World, entries: Buffer[]) =>
  world.app.pool.query('INSERT INTO fingerprint_log_pending (entry) SELECT * FROM unnest($1::bytea[])', [entries])

async function checkpointOf({ app }: World) {
  const newest = await newestCheckpoint(app.pool)
  if (!newest) throw new Error('the log is empty')
  return readCheckpoint(newest.note)
}

async function isSigned(world: World, checkpoint: Awaited<ReturnType<typeof checkpointOf>>): Promise<boolean> {
  const { keys } = await publishedKeys(world.app)
  const log = keys.filter(({ purpose }) => purpose === 'log').map((jwk): KeyObject => createPublicKey({ key: jwk, format: 'jwk' }))
  const known = log.map((key) => ({ name: checkpoint.origin, type: NOTE_KEY_TYPES.ed25519, key }))
  return checkpoint.signatures.some((line) => known.some((key) => signsNote(checkpoint.text, line, key)))
}

test('entries get the next positions in order of arrival, however many processes append', async () => {
  const world = await openWorld({ config: { log_origin: 'weather.example.com/log' } })
  expect(await newestCheckpoint(world.app.pool)).toBeNull()
  const entries = Array.from({ length: 1500 }, (_, at) => entryOf(at))
  await wait(world, entries.slice(0, 700))
  expect((await Promise.all([1, 2, 3].map(() => appendPending(world.app)))).reduce((sum, count) => sum + count)).toBe(700)
  const first = await checkpointOf(world)
  await wait(world, entries.slice(700))
  expect(await appendPending(world.app)).toBe(800)
  const second = await checkpointOf(world)

  const { rows } = await world.app.pool.query('SELECT index::int, entry FROM fingerprint_log_entries ORDER BY index')
  expect(rows.map(({ entry }) => entry)).toEqual(entries)
  expect(rows.map(({ index }) => index)).toEqual(entries.map((_, at) => at))
  expect([first.size, second.size, second.origin]).toEqual([700, 1500, 'weather.example.com/log'])
  const proof = await readHashes(world.app.pool, consistencyRanges(700, 1500))
  expect(provesConsistency(700, first.root, 1500, second.root, proof)).toBe(true)
  expect(await isSigned(world, second)).toBe(true)
  const bundle = await readTileBytes(world.app.pool, { kind: 'entries', level: 0, index: 5, width: 220 })
  expect(bundle?.subarray(2, 34)).toEqual(entries[1280])
  expect(await readTileBytes(world.app.pool, { kind: 'entries', level: 0, index: 5, width: 221 })).toBeNull()
  expect(await readTileBytes(world.app.pool, { kind: 'hashes', level: 1, index: 0, width: 6 })).toBeNull()
})

test('a printed report is in the log, its statement proves it, and removing the report leaves the log unchanged', async () => {
  const world = await openWorld()
  await seedSample(world.app)
  const caller = await aCaller(world, await aTeam(world))
  const { report } = await requestReport(world.app, caller, input, null)
  await world.drain()
  const { fingerprint, log } = await reportVerification(world.app, caller, report.id)
  if (!log) throw new Error('the report is not in the log')
  const checkpoint = readCheckpoint(log.checkpoint)
  const leaf = leafHash(logEntry(Buffer.from(log.salt, 'base64'), fingerprint))
  const proof = log.inclusion_proof.map((hash) => Buffer.from(hash, 'base64'))
  expect(provesInclusion(leaf, log.index, checkpoint.size, proof, checkpoint.root)).toBe(true)
  expect(await isSigned(world, checkpoint)).toBe(true)
  // With another salt, the same fingerprint is another entry: only a holder of the report can find it.
  expect(provesInclusion(leafHash(logEntry(Buffer.alloc(32), fingerprint)), log.index, checkpoint.size, proof, checkpoint.root)).toBe(false)

  await removeReport(world.app, caller, report.id)
  expect(await checkpointOf(world)).toMatchObject({ size: checkpoint.size, root: checkpoint.root })
})

test('a report that waits for its position, or is older than the log, has a null log and verifies in other ways', async () => {
  const world = await openWorld()
  await seedSample(world.app)
  const caller = await aCaller(world, await aTeam(world))
  const { report } = await requestReport(world.app, caller, input, null)
  await world.drain()
  await world.owner.query('UPDATE reports SET log_salt = NULL')
  expect(await reportVerification(world.app, caller, report.id)).toMatchObject({ log: null, report_id: report.id })
  await world.owner.query("UPDATE reports SET log_salt = decode(repeat('01', 32), 'hex')")
  expect(await reportVerification(world.app, caller, report.id)).toMatchObject({ log: null })
})

test('neither the service nor the owner of its tables can rewrite the log', async () => {
  const world = await openWorld()
  await wait(world, [entryOf(1), entryOf(2)])
  await appendPending(world.app)
  for (const statement of [
    'UPDATE fingerprint_log_entries SET index = index + 5',
    'DELETE FROM fingerprint_log_entries',
    'TRUNCATE fingerprint_log_entries',
    "UPDATE fingerprint_log_checkpoints SET note = 'another'",
    'DELETE FROM fingerprint_log_checkpoints',
    'DELETE FROM fingerprint_log_tiles',
    "UPDATE fingerprint_log_tiles SET hashes = decode(repeat('00', 64), 'hex')",
    'UPDATE fingerprint_log_tiles SET hashes = substring(hashes FROM 1 FOR 32)',
  ])
    expect(await refusalOf(world.owner.query(statement)), statement).toBe('the log of fingerprints is never rewritten')
  for (const index of [9, 1]) {
    const added = world.owner.query("INSERT INTO fingerprint_log_entries VALUES ($1, decode(repeat('02', 32), 'hex'), now())", [index])
    expect(await refusalOf(added)).toBe(`entry ${index} of the log of fingerprints is not the next one`)
  }
  expect(await refusalOf(world.owner.query("INSERT INTO fingerprint_log_checkpoints VALUES (1, '', now())"))).toMatch(
    /is not one of the log as it is/,
  )
  expect(await refusalOf(world.app.pool.query('DELETE FROM fingerprint_log_entries'))).toMatch(/permission denied/)
})

test('another key can sign the same log, and the log keeps its name', async () => {
  const world = await openWorld({ config: { log_origin: 'weather.example.com/log' } })
  await wait(world, [entryOf(1)])
  await appendPending(world.app)
  const before = await checkpointOf(world)
  const { key_id, retired } = await rotateLogKey(world.app)
  world.app.config.log_origin = 'elsewhere.example.com/log'
  await wait(world, [entryOf(2)])
  await appendPending(world.app)
  const after = await checkpointOf(world)
  expect(after).toMatchObject({ origin: 'weather.example.com/log', size: 2 })
  expect(await isSigned(world, before)).toBe(true)
  expect(await isSigned(world, after)).toBe(true)
  expect(after.signatures[0]?.key_id).not.toEqual(before.signatures[0]?.key_id)
  const rows = await world.app.db.signingKey.findMany({ where: { purpose: 'log' }, orderBy: { created_at: 'asc' } })
  expect(rows.find(({ id }) => id === retired)).toMatchObject({ sealed_private_key: null, retired_at: expect.any(Date) })
  expect(rows.find(({ id }) => id === key_id)).toMatchObject({ retired_at: null })
})

function refusalOf(doing: Promise<unknown>): Promise<string> {
  return doing.then(
    () => 'done',
    (fault: Error) => fault.message,
  )
}
