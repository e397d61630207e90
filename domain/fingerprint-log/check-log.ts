import { createPublicKey, type KeyObject } from 'node:crypto'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { readCheckpoint } from '#domain/fingerprint-log/checkpoint.ts'
import { joinSubtrees, leafHash, nodeHash } from '#domain/fingerprint-log/merkle.ts'
import { NOTE_KEY_TYPES, type NoteKey, signsNote } from '#domain/fingerprint-log/signed-note.ts'
import { TILE_WIDTH, tileKey } from '#domain/fingerprint-log/tiles.ts'
import { messageOf } from '#domain/kernel/fault.ts'
import { pluralize } from '#domain/kernel/text.ts'

/** Checkpoints and entries per query. */
const PAGE = 1000
/** The most faults to report: a broken log stays broken from there on, and more faults would add nothing. */
const FAULTS_MAX = 10

/**
 * Rebuilds the log from its entries and returns a sentence for every difference from what is stored: a tile, the root of a
 * checkpoint, a signature by an unknown key, a report without an entry. Empty unless the log or its disk was tampered with.
 */
export async function checkLog({ pool }: Pick<App, 'pool'>): Promise<string[]> {
  const client = await pool.connect()
  try {
    // One snapshot: reports are logged and keys rotated meanwhile.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const faults = [...(await growthFaults(client)), ...(await unloggedFaults(client))]
    await client.query('COMMIT')
    return faults.slice(0, FAULTS_MAX)
  } finally {
    client.release(true)
  }
}

async function growthFaults(client: pg.PoolClient): Promise<string[]> {
  const { rows: known } = await client.query<{ public_key: Buffer }>("SELECT public_key FROM signing_keys WHERE purpose = 'log'")
  const keys = known.map(publicKeyOf)
  const faults: string[] = []
  const tree = emptyTree()
  let origin: string | null = null
  for await (const { size, note } of checkpointsOf(client)) {
    const missing = await addEntries(client, tree, size)
    if (missing) return [...faults, `The log lacks entry ${tree.size}, but a checkpoint states that it has ${entriesOf(size)}.`]
    faults.push(...checkpointFaults(note, tree, size, keys, origin))
    origin = originIn(note) ?? origin
    if (faults.length >= FAULTS_MAX) return faults
  }
  const { rows } = await client.query<{ beyond: number }>(
    'SELECT count(*)::int AS beyond FROM fingerprint_log_entries WHERE index >= $1::bigint',
    [tree.size],
  )
  if (rows[0]?.beyond) faults.push(`The log has ${entriesOf(rows[0].beyond)} beyond its last checkpoint.`)
  return [...faults, ...(await tileFaults(client, tree))]
}

/** A growing tree: the complete subtrees that it consists of, the largest first, and the hashes of its tiles. */
interface GrowingTree {
  size: number
  peaks: { level: number; hash: Buffer }[]
  tiles: Map<string, Buffer[]>
}

const emptyTree = (): GrowingTree => ({ size: 0, peaks: [], tiles: new Map() })

/** @returns whether an entry is missing */
async function addEntries(client: pg.PoolClient, tree: GrowingTree, size: number): Promise<boolean> {
  while (tree.size < size) {
    const { rows } = await client.query<{ index: number; entry: Buffer }>({
      name: 'log.check',
      text: 'SELECT index::float8 AS index, entry FROM fingerprint_log_entries WHERE index >= $1::bigint AND index < $2::bigint ORDER BY index',
      values: [tree.size, Math.min(size, tree.size + PAGE)],
    })
    if (rows.length === 0) return true
    for (const { index, entry } of rows) {
      if (index !== tree.size) return true
      addLeaf(tree, leafHash(entry))
    }
  }
  return false
}

/** Levels of the tree per level of tiles. */
const TILE_HEIGHT = 8

function addLeaf(tree: GrowingTree, leaf: Buffer): void {
  let node = { level: 0, hash: leaf }
  let position = tree.size
  keepHash(tree, 0, position, leaf)
  for (let left = tree.peaks.at(-1); left?.level === node.level; left = tree.peaks.at(-1)) {
    tree.peaks.pop()
    node = { level: node.level + 1, hash: nodeHash(left.hash, node.hash) }
    position = Math.floor(position / 2)
    if (node.level % TILE_HEIGHT === 0) keepHash(tree, node.level / TILE_HEIGHT, position, node.hash)
  }
  tree.peaks.push(node)
  tree.size++
}

function keepHash({ tiles }: GrowingTree, level: number, position: number, hash: Buffer): void {
  const key = tileKey({ level, index: Math.floor(position / TILE_WIDTH) })
  const hashes = tiles.get(key) ?? []
  hashes.push(hash)
  // One buffer instead of 256: for a million entries, all tiles are in memory until they are compared.
  tiles.set(key, hashes.length === TILE_WIDTH ? [Buffer.concat(hashes)] : hashes)
}

const entriesOf = (count: number) => pluralize(count, 'entry', 'entries')

function checkpointFaults(note: string, tree: GrowingTree, size: number, keys: KeyObject[], origin: string | null): string[] {
  try {
    const checkpoint = readCheckpoint(note)
    const known = keys.map((key): NoteKey => ({ name: checkpoint.origin, type: NOTE_KEY_TYPES.ed25519, key }))
    const is_signed = checkpoint.signatures.some((line) => known.some((key) => signsNote(checkpoint.text, line, key)))
    return [
      ...(checkpoint.size === size && checkpoint.root.equals(joinSubtrees(tree.peaks.map(({ hash }) => hash)))
        ? []
        : [`The checkpoint of ${entriesOf(size)} has a root that does not match its entries.`]),
      ...(is_signed ? [] : [`The checkpoint of ${entriesOf(size)} is not signed with any known key of the log.`]),
      ...(origin === null || checkpoint.origin === origin || checkpoint.ended.some((log) => log.origin === origin)
        ? []
        : [`The checkpoint of ${entriesOf(size)} names the log ${checkpoint.origin}, but the one before it names ${origin}.`]),
    ]
  } catch (fault) {
    return [`The checkpoint of ${entriesOf(size)} cannot be read: ${messageOf(fault)}.`]
  }
}

function originIn(note: string): string | null {
  return /^([^\n]+)\n/.exec(note)?.[1] ?? null
}

/** Compares every tile that is stored or should be, byte by byte. */
async function tileFaults(client: pg.PoolClient, { tiles }: GrowingTree): Promise<string[]> {
  const wrong: string[] = []
  const left = new Set(tiles.keys())
  for (let after: [number, number] | null = [-1, 0]; after !== null; ) {
    const { rows }: { rows: { level: number; index: number; hashes: Buffer }[] } = await client.query({
      name: 'log.check.tiles',
      text: `SELECT level, index::float8 AS index, hashes FROM fingerprint_log_tiles WHERE (level, index) > ($1::int, $2::bigint) ORDER BY level, index LIMIT ${PAGE}`,
      values: after,
    })
    for (const { level, index, hashes } of rows) {
      const key = tileKey({ level, index })
      if (!left.delete(key) || !hashes.equals(Buffer.concat(tiles.get(key) ?? []))) wrong.push(key)
    }
    const last = rows.at(-1)
    after = last && rows.length === PAGE ? [last.level, last.index] : null
  }
  return [...wrong, ...left].map((key) => `Tile ${key} of the log does not have the hashes of its entries.`)
}

/** Every report with a log salt must have an entry in the log or a pending one. */
async function unloggedFaults(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(UNLOGGED)
  return rows.map(({ id }) => `The report ${id} has no entry in the log and no pending one.`)
}

const UNLOGGED = `
  WITH expected AS (
    SELECT id, sha256(convert_to('weather-report-log/1' || chr(10), 'UTF8') || log_salt || decode(fingerprint, 'hex')) AS entry
      FROM reports WHERE status = 'complete' AND log_salt IS NOT NULL)
  SELECT id FROM expected x
   WHERE NOT EXISTS (SELECT FROM fingerprint_log_entries e WHERE e.entry = x.entry)
     AND NOT EXISTS (SELECT FROM fingerprint_log_pending p WHERE p.entry = x.entry)
   ORDER BY id LIMIT ${FAULTS_MAX}`

async function* checkpointsOf(client: pg.PoolClient): AsyncGenerator<{ size: number; note: string }> {
  for (let after = 0; ; ) {
    const { rows }: { rows: { size: number; note: string }[] } = await client.query({
      name: 'log.check.checkpoints',
      text: `SELECT size::float8 AS size, note FROM fingerprint_log_checkpoints WHERE size > $1::bigint ORDER BY size LIMIT ${PAGE}`,
      values: [after],
    })
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.size
  }
}

const publicKeyOf = ({ public_key }: { public_key: Buffer }) => createPublicKey({ key: public_key, format: 'der', type: 'spki' })
