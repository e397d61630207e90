/** A time of the API as people read it, to the minute: 2025-05-28 23:45 UTC. */
export function utcText(moment: string): string {
  return `${moment.slice(0, 'YYYY-MM-DD'.length)} ${moment.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length)} UTC`
}
