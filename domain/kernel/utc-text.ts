/** Formats a time for people, in the posts and documents that they read: 2026-05-28 20:00 UTC. */
export function utcText(moment: Date): string {
  return `${moment.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ')} UTC`
}
