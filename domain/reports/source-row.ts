import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { readSpan } from '#domain/archive/files/read-span.ts'
import { readNamed } from '#domain/engines/named-query.ts'
import { INT4_MAX } from '#domain/kernel/int4.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/** Bytes of the longest row that is shown: a radar grid is not a row. */
const ROW_MAX = 1_048_576

/**
 * Returns the original bytes of a record that a report of the team cites, from the stored copy of the agency's file.
 * @param row the id of the record
 * @throws Refusal 422 if `row` is not an id. 404 if no such file is stored, if no report of the team cites the record from it, or if its
 *   bytes are not a row: the message is the same for all three. Error if the stored file no longer has its hash: no byte of it is shown.
 *   That is our fault, and the doctor reports it
 */
export async function sourceRow(
  { pool, source_files }: Pick<App, 'pool' | 'source_files'>,
  { team }: Pick<Caller, 'team'>,
  sha256: string,
  row: unknown,
): Promise<Buffer> {
  if (typeof row !== 'string' || !/^\d{1,10}$/.test(row) || Number(row) > INT4_MAX)
    refuseField('row', 'The row must be the id of a record that a report cites.')
  if (!source_files || !/^[0-9a-f]{64}$/.test(sha256)) throw noSuchRow()
  const [span] = await readNamed<{ start: number; length: number }>(pool, 'report.source_row', SPAN, [team.id, Number(row), sha256])
  if (!span || span.length > ROW_MAX) throw noSuchRow()
  const file = await source_files.read(sha256)
  if (!file) throw noSuchRow()
  const found = await readSpan(file, span)
  if (found.sha256 !== sha256) throw new Error(`the stored file ${sha256} no longer has this hash`)
  if (!found.bytes) throw noSuchRow()
  return found.bytes
}

function noSuchRow(): Refusal {
  return new Refusal('not_found', 'There is no row of this file that a report cites.')
}

const SPAN = `
  SELECT span_start::float8 AS start, span_length AS length FROM report_records
   WHERE team_id = $1 AND record_id = $2 AND file_sha256 = $3 LIMIT 1`
