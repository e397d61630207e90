/** Formats a time in whole seconds, as records, reports and their files state it: 2026-05-28T20:00:00Z. */
export function isoSeconds(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`
}
