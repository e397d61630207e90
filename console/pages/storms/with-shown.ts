/** Returns the listed days, newest first, with the shown date among them: it may be a day of wind, or one that is not loaded yet. */
export function withShown<Day extends { date: string }>(days: readonly Day[], shown: string | undefined): (Day | { date: string })[] {
  if (shown === undefined || days.some(({ date }) => date === shown)) return [...days]
  return [...days.filter(({ date }) => date > shown), { date: shown }, ...days.filter(({ date }) => date < shown)]
}
