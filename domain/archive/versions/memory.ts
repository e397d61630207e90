import { sourceById } from '#domain/archive/sources/index.ts'
import type { RawTx } from '#domain/engines/database.ts'
import type { Faults } from '#domain/kernel/validation.ts'
import { SAMPLE_SOURCE } from '#domain/weather/sources.ts'

/** The times for which the archive still knows its contents. */
export interface ArchiveMemory {
  /** The earliest such time; null if nothing was ever imported. */
  since: Date | null
  /** Sources that were forgotten with everything known about them, the latest first. */
  forgotten: ForgottenSource[]
}

interface ForgottenSource {
  source: string
  /** Its contents from `since` until `at` are no longer known. */
  since: Date
  at: Date
}

/** Name of the install fact that states the time up to which versions were deleted. */
export const VERSIONS_CLEARED = 'versions_cleared_until'

/** Returns how far back the archive can be read as it was, and of which sources data was forgotten since. */
export async function readMemory(tx: Pick<RawTx, '$queryRaw'>): Promise<ArchiveMemory> {
  const [row] = await tx.$queryRaw<{ since: Date | null }[]>`
    SELECT greatest((SELECT min(known_at) FROM archive_revisions),
                    (SELECT (value #>> '{}')::timestamptz FROM install_facts WHERE name = ${VERSIONS_CLEARED})) AS since`
  // Data from before the first revision may belong to any source. The made-up sample does not count.
  const forgotten = await tx.$queryRaw<ForgottenSource[]>`
    SELECT gone.source, gone.at,
           coalesce((SELECT min(known_at) FROM archive_revisions WHERE id = 0),
                    (SELECT min(known_at) FROM archive_revisions r WHERE r.source = gone.source AND NOT r.forgot)) AS since
      FROM (SELECT source, max(known_at) AS at FROM archive_revisions WHERE forgot AND source <> ${SAMPLE_SOURCE} GROUP BY source) gone
     ORDER BY gone.at DESC`
  return { since: row?.since ?? null, forgotten }
}

/** Adds a fault if the archive does not know its contents at a time. */
export function checkAsOf(as_of: Date, memory: ArchiveMemory, faults: Faults): void {
  const why = reasonUnknown(as_of, memory)
  if (why) faults.unless(false, 'as_of', why)
}

/** Whether the archive still knows its contents at a time. */
export function isKnownAt(moment: Date, memory: ArchiveMemory): boolean {
  return reasonUnknown(moment, memory) === null
}

/** Returns why the archive does not know its contents at a time, as a sentence; null if it does. */
export function reasonUnknown(as_of: Date, { since, forgotten }: ArchiveMemory): string | null {
  if (since === null) return 'The archive remembers no moment yet: nothing was imported.'
  if (as_of < since) return `The archive remembers what it knew since ${since.toISOString()}, and nothing before that.`
  const forgottenSource = forgotten.find((source) => source.since <= as_of && as_of < source.at)
  if (!forgottenSource) return null
  const label = sourceById(forgottenSource.source)?.label ?? forgottenSource.source
  return `${label} was forgotten at ${forgottenSource.at.toISOString()}: what the archive knew before that is no longer known.`
}
