/** Local time of a moment at its place, such as 18:20 and CDT. */
export function localTime(at: string, timezone: string): { time: string; zone: string } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    timeZoneName: 'short',
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
  })
  const parts = new Map(format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))
  return { time: `${parts.get('hour')}:${parts.get('minute')}`, zone: parts.get('timeZoneName') ?? timezone }
}

/** Local time beside UTC: "18:20 CDT (23:20 UTC)". */
export function bothTimes(at: string, timezone: string): string {
  const { time, zone } = localTime(at, timezone)
  return `${time} ${zone} (${at.slice(11, 16)} UTC)`
}
