import type { ArchiveRecord } from '#domain/archive/record.ts'

/**
 * The note that an import of Storm Events writes at the end of a description; only the note on the filed date may follow it. Written as JavaScript
 * and PostgreSQL read it alike.
 */
const NOTE = String.raw`Rated (E?F[0-5U]) by the source\.(?: Filed by the source under [^.]*\.)?$`
const STATED = new RegExp(String.raw`\b${NOTE}`)
/** The National Weather Service rates on the Enhanced Fujita scale since this day, on the Fujita scale before it. */
const EF_SINCE = '2007-02-01'

/**
 * A tornado's rating on the scale that its own row states: F3 in 1991, EF3 from February 2007 on, EFU where the strength
 * could not be determined. Sources that give a number alone are read by the scale of their day. Null where nothing is rated.
 */
export function tornadoRating({
  tornado_ef_scale,
  occurred_on,
  description,
}: Pick<ArchiveRecord, 'tornado_ef_scale' | 'occurred_on' | 'description'>): string | null {
  const stated = STATED.exec(description)?.[1]
  if (stated) return stated
  return tornado_ef_scale === null ? null : `${occurred_on < EF_SINCE ? 'F' : 'EF'}${tornado_ef_scale}`
}

/** SQL: the same of a tornado `r`. */
export const TORNADO_RATING = `coalesce(substring(r.description FROM '\\y${NOTE}'),
  CASE WHEN r.occurred_on < '${EF_SINCE}' THEN 'F' ELSE 'EF' END || r.tornado_ef_scale)`
