/**
 * The moment at which the period after `instant` begins: the next 00:00 UTC on the renewal day, or on the last day
 * of a month that is shorter. A plan begun on the 31st turns on 28 or 29 February and on the 31st of March again.
 * @param renewal_day 1..31
 */
export function nextRenewal(instant: Date, renewal_day: number): Date {
  const year = instant.getUTCFullYear()
  const month = instant.getUTCMonth()
  const turn = turnIn(year, month, renewal_day)
  return turn > instant ? turn : turnIn(year, month + 1, renewal_day)
}

/** 00:00 UTC of the day in which the instant lies. */
export function startOfDay(instant: Date): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate()))
}

function turnIn(year: number, month: number, renewal_day: number): Date {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(renewal_day, lastDay)))
}
