import { localMoment } from '#domain/archive/local-moment.ts'
import { present, tupleOf } from '#domain/kernel/present.ts'
import { warningPhenomenon } from '#domain/weather/warning-phenomena.ts'

/** A Valid Time Event Code (NWS Directive 10-1703): which warning a message concerns, and what it does to it. */
export interface Vtec {
  text: string
  /** O operational, T test, E experimental, X experimental in operational products. */
  class: string
  action: VtecAction
  /** Four letters: KFWD. */
  office: string
  phenomenon: string
  significance: string
  tracking_number: number
  /** Null if an update leaves it open. */
  begins_at: Date | null
  ends_at: Date | null
}

const vtecActions = ['NEW', 'CON', 'EXT', 'EXA', 'EXB', 'UPG', 'CAN', 'EXP', 'COR', 'ROU'] as const
export type VtecAction = (typeof vtecActions)[number]

/** The zeros that leave a time open, and the Unix epoch, which one office has written instead. */
const OPEN = ['000000T0000Z', '700101T0000Z']
/** A time, or one of those. A code without a valid time is not a code. */
const MOMENT = '(\\d{6}T\\d{4}Z)'
const PATTERN = new RegExp(
  `/([OTEX])\\.(NEW|CON|EXT|EXA|EXB|UPG|CAN|EXP|COR|ROU)\\.([A-Z]{4})\\.([A-Z]{2})\\.([A-Z])\\.(\\d{4})\\.${MOMENT}-${MOMENT}/`,
  'g',
)

/** Returns every code in a text, in order. */
export function findVtec(text: string): Vtec[] {
  return [...text.matchAll(PATTERN)].flatMap(([code, kind, action, office, phenomenon, significance, number, from, until]) => {
    const [begins_at, ends_at] = [readTime(present(from)), readTime(present(until))]
    if (begins_at === 'none' || ends_at === 'none') return []
    return {
      text: code,
      class: present(kind),
      action: present(vtecActions.find((one) => one === action)),
      office: present(office),
      phenomenon: present(phenomenon),
      significance: present(significance),
      tracking_number: Number(number),
      begins_at,
      ends_at,
    }
  })
}

/** True for an operational warning over land that may cause an exposure. */
export function isWatched({ class: kind, phenomenon, significance }: Vtec): boolean {
  return kind === 'O' && significance === 'W' && warningPhenomenon(phenomenon)?.over_land === true
}

/** A cancelled, expired or upgraded warning is over. */
export function endsWarning(action: VtecAction): boolean {
  return action === 'CAN' || action === 'EXP' || action === 'UPG'
}

/**
 * Returns the year of the first message, as far as one message shows it. A message that is not the first may belong to the
 * previous year.
 */
export function yearOf({ begins_at }: Pick<Vtec, 'begins_at'>, sent_at: Date): number {
  return (begins_at && begins_at < sent_at ? begins_at : sent_at).getUTCFullYear()
}

/**
 * Returns the key of a warning: office, phenomenon, significance, tracking number and year of issue, KFWD.SV.W.0142.2025.
 * @param year of issue; updates leave the begin open, so the caller supplies it.
 */
export function warningKey({ office, phenomenon, significance, tracking_number }: Vtec, year: number): string {
  return [office, phenomenon, significance, String(tracking_number).padStart(4, '0'), year].join('.')
}

/** Reads yymmddThhmmZ. Years are of this century, because the code came into use in 2005. Null if the time is left open. */
function readTime(text: string): Date | null | 'none' {
  if (OPEN.includes(text)) return null
  const parts = [0, 2, 4, 7, 9].map((at) => Number(text.slice(at, at + 2)))
  const [year, month, day, hour, minute] = tupleOf(parts, 5)
  return localMoment({ year: 2000 + year, month, day, hour, minute }, 0) ?? 'none'
}
