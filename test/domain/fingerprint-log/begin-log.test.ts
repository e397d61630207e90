import { createPublicKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { appendPending } from '#domain/fingerprint-log/append.ts'
import { beginEntry, beginLog } from '#domain/fingerprint-log/begin-log.ts'
import { checkLog } from '#domain/fingerprint-log/check-log.ts'
import { readCheckpoint } from '#domain/fingerprint-log/checkpoint.ts'
import { logEntry } from '#domain/fingerprint-log/entry.ts'
import { inclusionRanges, leafHash } from '#domain/fingerprint-log/merkle.ts'
import { newestCheckpoint, readHashes } from '#domain/fingerprint-log/read.ts'
import { NOTE_KEY_TYPES, signsNote } from '#domain/fingerprint-log/signed-note.ts'
import { publishedKeys } from '#domain/reports/signing/published-keys.ts'
import { provesInclusion } from '#test/support/merkle-proofs.ts'
import { rewindLog } from '#test/support/rewind-log.ts'
import { openWorld, type World } from '#test/support/world.ts'

const OLD = 'weather.example.com/log'
const NEW = 'weather.example.com/log-2'

const entryOf = (number: number) => logEntry(Buffer.alloc(32, 7), number.toString(16).padStart(64, '0'))

async function grow({ app }: World, from: number, to: number): Promise<string> {
  const entries = Array.from({ length: to - from }, (_, at) => entryOf(from + at))
  await app.pool.query('INSERT INTO fingerprint_log_pending (entry) SELECT * FROM unnest($1::bytea[])', [entries])
  await appendPending(app)
  return newestNote(app)
}

async function newestNote(app: World['app']): Promise<string> {
  return (await newestCheckpoint(app.pool))?.note ?? ''
}

/** A log of 300 entries, restored from a backup that had 260, and its last checkpoint before. */
async function aRestoredLog(): Promise<{ world: World; published: string }> {
  const world = await openWorld({ config: { log_origin: OLD } })
  await grow(world, 0, 260)
  const published = await grow(world, 260, 300)
  await rewindLog(world, 260)
  return { world, published }
}

async function isSigned({ app }: World, note: string): Promise<boolean> {
  const { origin, text, signatures } = readCheckpoint(note)
  const { keys } = await publishedKeys(app)
  const known = keys
    .filter(({ purpose }) => purpose === 'log')
    .map((jwk) => ({ name: origin, type: NOTE_KEY_TYPES.ed25519, key: createPublicKey({ key: jwk, format: 'jwk' }) }))
  return signatures.some((line) => known.some((key) => signsNote(text, line, key)))
}

async function provesEntry({ app }: World, index: number, entry: Buffer, note: string): Promise<boolean> {
  const { size, root } = readCheckpoint(note)
  return provesInclusion(leafHash(entry), index, size, await readHashes(app.pool, inclusionRanges(index, size)), root)
}

test('after a restore, a log begins that states how the other one ended, and both stay verifiable', async () => {
  const { world, published } = await aRestoredLog()
  const last = readCheckpoint(published)
  const begun = await beginLog(world.app, NEW, `${published}\n`)
  const ended = { origin: OLD, size: 300, root: last.root }
  expect(begun).toMatchObject({ origin: NEW, size: 261, ended })

  const first = await newestNote(world.app)
  expect(readCheckpoint(first)).toMatchObject({ origin: NEW, size: 261, ended: [ended] })
  expect(first).toContain(`\nended ${OLD} 300 ${last.root.toString('base64')}\n`)
  expect(await provesEntry(world, 260, beginEntry(NEW, ended), first)).toBe(true)

  // Every later checkpoint repeats it, whatever the setting is.
  const later = await grow(world, 1000, 1100)
  expect(readCheckpoint(later)).toMatchObject({ origin: NEW, size: 361, ended: [ended] })
  expect(await provesEntry(world, 5, entryOf(5), later)).toBe(true)
  expect(await provesEntry(world, 261, entryOf(1000), later)).toBe(true)
  for (const note of [published, first, later]) expect(await isSigned(world, note)).toBe(true)
  expect(await world.app.db.signingKey.count({ where: { purpose: 'log', sealed_private_key: { not: null } } })).toBe(1)
  expect(await checkLog(world.app)).toEqual([])
})

test('a second restore ends the second log, and all earlier names stay in the checkpoint', async () => {
  const { world, published } = await aRestoredLog()
  await beginLog(world.app, NEW, published)
  await grow(world, 1000, 1010)
  const { ended } = await beginLog(world.app, 'weather.example.com/log-3', null)
  expect(ended).toMatchObject({ origin: NEW, size: 271 })
  expect(readCheckpoint(await newestNote(world.app)).ended.map(({ origin }) => origin)).toEqual([OLD, NEW])
  expect(await checkLog(world.app)).toEqual([])
  for (const name of [OLD, NEW]) await expect(beginLog(world.app, name, null)).rejects.toMatchObject({ code: 'validation_failed' })
})

test('what a worker appends meanwhile is part of the end', async () => {
  const { world } = await aRestoredLog()
  // The key is rotated after the end was read, and before it is stated.
  const appendFirst = async (...words: Parameters<World['app']['db']['$transaction']>) => {
    await grow(world, 1000, 1001)
    return world.app.db.$transaction(...words)
  }
  const db = new Proxy(world.app.db, { get: (of, key) => (key === '$transaction' ? appendFirst : Reflect.get(of, key)) })
  const appending: World['app'] = Object.create(world.app, { db: { value: db } })
  expect((await beginLog(appending, NEW, null)).ended.size).toBe(261)
  expect(await checkLog(world.app)).toEqual([])
})

test('a log that was empty in the backup begins anew from its published checkpoint', async () => {
  const world = await openWorld({ config: { log_origin: OLD } })
  await expect(beginLog(world.app, NEW, null)).rejects.toMatchObject({ details: { errors: { published: [expect.any(String)] } } })
  const published = await grow(world, 0, 3)
  await rewindLog(world, 0)
  expect(await beginLog(world.app, NEW, published)).toMatchObject({ size: 1, ended: { origin: OLD, size: 3 } })
  expect(await checkLog(world.app)).toEqual([])
})

test('refuses a checkpoint that is not of this log, or of which nothing was lost; nothing changes then', async () => {
  const { world, published } = await aRestoredLog()
  const keys = await world.app.db.signingKey.count()
  const kept = await newestNote(world.app)
  const other = await openWorld({ config: { log_origin: OLD } })
  const foreign = await grow(other, 0, 400)
  const named = published.replaceAll(OLD, 'weather.example.com/other')
  for (const [note, reason] of [
    ['hello', /is not a checkpoint/],
    [foreign, /No key of the log signed/],
    [named, /is of weather.example.com\/other/],
    [kept, /nothing of it was lost/],
  ] as const)
    await expect(beginLog(world.app, NEW, note)).rejects.toMatchObject({
      details: { errors: { published: [expect.stringMatching(reason)] } },
    })
  for (const name of ['', 'two words', 'a+b', 'a\u0001b', OLD])
    await expect(beginLog(world.app, name, published)).rejects.toMatchObject({ details: { errors: { origin: [expect.any(String)] } } })
  expect(await newestNote(world.app)).toBe(kept)
  expect(await world.app.db.signingKey.count()).toBe(keys)
})

test('a log that takes another name without stating that the earlier one ended is at fault', async () => {
  const { world } = await aRestoredLog()
  await grow(world, 1000, 1001)
  const client = await world.owner.connect()
  await client.query('SET session_replication_role = replica')
  await client.query("UPDATE fingerprint_log_checkpoints SET note = replace(note, '/log', '/other') WHERE size = 260")
  await client.query('RESET session_replication_role')
  client.release()
  expect(await checkLog(world.app)).toContain(
    'The checkpoint of 261 entries names the log weather.example.com/log, but the one before it names weather.example.com/other.',
  )
})
