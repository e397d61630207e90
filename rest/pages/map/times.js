/** Returns the local time of a moment beside UTC, with the UTC date if it differs. @param zone IANA */
export function read(at, zone) {
  const [date, time] = [at.slice(0, 10), at.slice(11, 16)]
  const local = localOf(at, zone)
  return `${local.date} ${local.time} ${local.zone} (${local.date === date ? '' : `${date} `}${time} UTC)`
}

/** The same without its date. */
export function clockOf(at, zone) {
  const local = localOf(at, zone)
  return `${local.time} ${local.zone} (${at.slice(11, 16)} UTC)`
}

function localOf(at, zone) {
  const options = { timeZone: zone, timeZoneName: 'short', hourCycle: 'h23', year: 'numeric' }
  for (const part of ['month', 'day', 'hour', 'minute']) options[part] = '2-digit'
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(new Date(at))
  const { year, month, day, hour, minute, timeZoneName } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return { date: `${year}-${month}-${day}`, time: `${hour}:${minute}`, zone: timeZoneName }
}

/** The date of a moment: in a zone, or where the reader is. */
export const dayOf = (at, zone) => localOf(at, zone).date

/** Returns a moment in the service's text form, which sorts by time: UTC, to the second. */
export const written = (ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`

const DAY_MS = 86_400_000

/** Returns when a date in a zone begins and when the next one does, as `written`. */
export const dayIn = (date, zone) => [beginOf(date, zone), beginOf(written(Date.parse(date) + DAY_MS).slice(0, 10), zone)].map(written)

function beginOf(date, zone) {
  const utc = Date.parse(date)
  const local = localOf(utc, zone)
  return utc - (Date.parse(`${local.date}T${local.time}Z`) - utc)
}
