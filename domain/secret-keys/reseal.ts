import type { App } from '#domain/app.ts'
import { type Belonging, headerOf, NAMED_FORM, openSealed, seal, sealedColumns } from '#domain/engines/sealed.ts'
import { keysOf } from '#domain/kernel/keys-of.ts'

/** Values resealed per statement: each batch is written as a whole or not at all, so that a kill leaves no value half sealed. */
const BATCH = 200

/** The outcome for values that another key sealed, or that were sealed before keys had names. */
interface Resealed {
  resealed: number
  /** No key of WEATHER_SECRET_KEY can decrypt them: they stay as they are. */
  unopened: number
}

/**
 * Reseals, under the first secret key, every value that does not carry the key's name. Repeatable, in any number of processes:
 * a value that changes meanwhile keeps the seal of the newer write.
 */
export async function resealValues(app: Pick<App, 'pool' | 'config' | 'log'>): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unopened: 0 }
  for (const kind of keysOf(sealedColumns)) {
    for await (const values of staleValues(app, kind)) {
      const { resealed, unopened } = await resealBatch(app, kind, values)
      total.resealed += resealed
      total.unopened += unopened
    }
  }
  if (total.resealed) app.log.info({ resealed: total.resealed }, 'values were resealed under the first secret key')
  if (total.unopened) app.log.warn({ unopened: total.unopened }, 'values cannot be decrypted with any key of WEATHER_SECRET_KEY')
  return total
}

/** A sealed value and the id of its row. */
interface Sealed {
  id: string
  value: Buffer
}

/** Yields pages of one kind in the order of their ids: a batch that fails is skipped, so the loop always ends. */
async function* staleValues({ pool, config }: Pick<App, 'pool' | 'config'>, kind: keyof typeof sealedColumns): AsyncIterable<Sealed[]> {
  const { table, column, id } = sealedColumns[kind]
  const [first] = config.secret_keys
  // A bare key writes no name into its values: with it, the values that have a key's name are the stale ones.
  const stale = first.name === null ? `substring(${column} FOR $2) = $3` : `substring(${column} FOR $2) <> $3`
  const header = first.name === null ? NAMED_FORM : headerOf(first)
  const text = `SELECT id, ${column} AS value FROM ${table} WHERE ($1::${id} IS NULL OR id > $1::${id}) AND ${stale} ORDER BY id LIMIT ${BATCH}`
  let after: string | null = null
  do {
    const { rows }: { rows: Sealed[] } = await pool.query<Sealed>(text, [after, header.length, header])
    after = rows.at(-1)?.id ?? null
    if (rows.length) yield rows
  } while (after !== null)
}

async function resealBatch(app: Pick<App, 'pool' | 'config'>, kind: keyof typeof sealedColumns, values: Sealed[]): Promise<Resealed> {
  const { table, column, id } = sealedColumns[kind]
  const opened = values.flatMap(({ id, value }) => {
    const belongs: Belonging = `${kind} ${id}`
    const text = openSealed(app, value, belongs)?.text
    return text === undefined ? [] : [{ id, value, resealed: Buffer.from(seal(app, text, belongs)) }]
  })
  const { rowCount } = await app.pool.query(
    `UPDATE ${table} t SET ${column} = s.resealed FROM unnest($1::${id}[], $2::bytea[], $3::bytea[]) AS s (id, was, resealed) WHERE t.id = s.id AND t.${column} = s.was`,
    [opened.map((one) => one.id), opened.map((one) => one.value), opened.map((one) => one.resealed)],
  )
  return { resealed: rowCount ?? 0, unopened: values.length - opened.length }
}
