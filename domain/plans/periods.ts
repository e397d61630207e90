/**
 * Returns the start of the period after `instant`: the next 00:00 UTC on the renewal day, or on the last day of a
 * shorter month. A plan that started on the 31st renews on 28 or 29 February and again on 31 March.
 * @param renewal_day 1..31
 */
export function nextRenewal(instant: Date, renewal_day: number): Date {
  const year = instant.getUTCFullYear()
  const month = instant.getUTCMonth()
  const turn = turnIn(year, month, renewal_day)
  return turn > instant ? turn : turnIn(year, month + 1, renewal_day)
}

/** Returns 00:00 UTC of the instant's day. */
export function startOfDay(instant: Date): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate()))
}

function turnIn(year: number, month: number, renewal_day: number): Date {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(renewal_day, lastDay)))
}
