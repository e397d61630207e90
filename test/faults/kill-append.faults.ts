import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { appendPending } from '#domain/fingerprint-log/append.ts'
import { checkLog } from '#domain/fingerprint-log/check-log.ts'
import { type Checkpoint, readCheckpoint } from '#domain/fingerprint-log/checkpoint.ts'
import { logEntry } from '#domain/fingerprint-log/entry.ts'
import { consistencyRanges } from '#domain/fingerprint-log/merkle.ts'
import { newestCheckpoint, readHashes } from '#domain/fingerprint-log/read.ts'
import { provesConsistency } from '#test/support/merkle-proofs.ts'
import { SECRET_KEYS } from '#test/support/processes.ts'
import { seededRandom } from '#test/support/random.ts'
import { openWorld, type World } from '#test/support/world.ts'

const KILLS = 100
/** Started ahead: a process takes longer to start than to be killed. */
const SPARES = 3
/** Added before each check, so that there is always something to append. */
const ENTRIES_A_LOOK = 100
/** How often a process is stopped and checked until it is in the middle of a transaction. */
const LOOKS_MAX = 400
const STOP_WITHIN_MS = 20

it(`${KILLS} processes are killed while appending: the log has no gap and no fork, and every entry once, in order`, {
  timeout: 900_000,
}, async () => {
  const world = await openWorld({ config: { secret_keys: SECRET_KEYS } })
  const random = seededRandom(9)
  const spares = Array.from({ length: SPARES }, () => start(world))
  const entries: Buffer[] = []
  const seen: Checkpoint[] = []
  const inside = { before: 0, after: 0 }
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const child = await ready(spares.shift() as ChildProcess)
      spares.push(start(world))
      child.stdin?.write('go\n')
      await stopInside(world, child, random, entries)
      const stopped = await sizeOf(world)
      await killed(child)
      // The next process continues after the last committed transaction.
      await appendPending(world.app)
      const checkpoint = await newest(world)
      inside[checkpoint.size > stopped ? 'after' : 'before']++
      await expectAppendOnly(world, seen.at(-1), checkpoint)
      seen.push(checkpoint)
    }
  } finally {
    for (const spare of spares) await killed(spare)
  }
  const { rows } = await world.app.pool.query('SELECT index::int, entry FROM fingerprint_log_entries ORDER BY index')
  expect(rows.map(({ index }) => index)).toEqual(entries.map((_, at) => at))
  expect(rows.every(({ entry }, at) => entry.equals(entries[at]))).toBe(true)
  expect(await checkLog(world.app)).toEqual([])
  // Each checkpoint that was ever visible still belongs to the log.
  for (const checkpoint of seen) await expectAppendOnly(world, checkpoint, seen.at(-1) as Checkpoint)
  expect(seen).toHaveLength(KILLS)
  console.log(
    `${KILLS} kills, ${inside.after} of them with entries left to append; ${entries.length} entries, ${seen.length} checkpoints compared`,
  )
})

/** Adds waiting entries, all different. */
async function feed({ app }: World, entries: Buffer[]): Promise<void> {
  const more = Array.from({ length: ENTRIES_A_LOOK }, (_, at) =>
    logEntry(Buffer.alloc(32, 7), (entries.length + at).toString(16).padStart(64, '0')),
  )
  await app.pool.query('INSERT INTO fingerprint_log_pending (entry) SELECT * FROM unnest($1::bytea[])', [more])
  entries.push(...more)
}

function start({ app }: World): ChildProcess {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: app.config.database_url,
    WEATHER_SECRET_KEY: SECRET_KEYS[0].bytes.toString('base64'),
    BASE_URL: app.config.base_url,
  }
  return spawn(process.execPath, ['--import', 'tsx', 'test/faults/appending.ts'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
}

async function ready(child: ChildProcess): Promise<ChildProcess> {
  if (child.stdout && child.stdout.readableLength === 0) await once(child.stdout, 'readable')
  return child
}

/** Stops a process at random moments until it has the log's lock: it is then in the middle of a transaction. */
async function stopInside(world: World, child: ChildProcess, random: () => number, entries: Buffer[]): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    await feed(world, entries)
    await pause(random() * STOP_WITHIN_MS)
    child.kill('SIGSTOP')
    if (await isLocked(world)) return
    child.kill('SIGCONT')
  }
  throw new Error('the process was never found appending')
}

async function isLocked({ owner }: World): Promise<boolean> {
  const { rowCount } = await owner.query(`
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND ((classid::bigint << 32) | objid::bigint) = hashtextextended('fingerprint log', 6962)`)
  return rowCount !== 0
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

async function newest({ app }: World): Promise<Checkpoint> {
  const checkpoint = await newestCheckpoint(app.pool)
  if (!checkpoint) throw new Error('the log is empty')
  return readCheckpoint(checkpoint.note)
}

const sizeOf = async ({ app }: World) => (await newestCheckpoint(app.pool))?.size ?? 0

async function expectAppendOnly({ app }: World, old: Checkpoint | undefined, checkpoint: Checkpoint): Promise<void> {
  if (!old) return
  const proof = await readHashes(app.pool, consistencyRanges(old.size, checkpoint.size))
  expect(provesConsistency(old.size, old.root, checkpoint.size, checkpoint.root, proof)).toBe(true)
}
