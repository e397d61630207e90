import type { DocumentFacts } from '#domain/reports/document/facts.ts'

/** Returns the days with records before the date of loss, or if none was named, before the newest record; newest first. */
export function earlierDays({ report: { date_of_loss }, records }: Pick<DocumentFacts, 'report' | 'records'>): string[] {
  const days = [...new Set(records.map(({ occurred_on }) => occurred_on))]
  return date_of_loss === null ? days.slice(1) : days.filter((day) => day < date_of_loss)
}
