import type { ArchiveRecord } from '#domain/archive/record.ts'

/** The note that an import appends to a description: the rating in every row of Storm Events, only an unknown one in a preliminary report. */
export const ratingNote = (rating: string) => `Rated ${rating} by the source.`

/** EFU, or FU on the older scale: the strength of the tornado could not be determined. */
export const UNKNOWN_RATING = /^E?FU$/i

/** Finds that note. Only the note on the filing date may follow it. The pattern works in both JavaScript and PostgreSQL. */
const NOTE = String.raw`Rated (E?F[0-5U]) by the source\.(?: Filed by the source under [^.]*\.)?$`
const STATED = new RegExp(String.raw`\b${NOTE}`)
/** The National Weather Service has used the Enhanced Fujita scale since this day, and the Fujita scale before it. */
const EF_SINCE = '2007-02-01'

/**
 * Returns a tornado's rating on the scale that its own row states: F3 in 1991, EF3 from February 2007, EFU if the strength
 * could not be determined. For sources that give only a number, the scale in use on that day applies. Null if there is no
 * rating.
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

/** SQL: the same for a tornado `r`. */
export const TORNADO_RATING = `coalesce(substring(r.description FROM '\\y${NOTE}'),
  CASE WHEN r.occurred_on < '${EF_SINCE}' THEN 'F' ELSE 'EF' END || r.tornado_ef_scale)`
