import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { type Html, html, raw } from '#domain/reports/document/html.ts'
import { type Phenomenon, phenomena, phenomenonOf } from '#domain/reports/document/phenomena.ts'

const WIDTH = 680
const HEIGHT = 150
const BASE = 126
/** Windows up to so many months are drawn by the month, longer ones by the year. */
const MONTHS_MAX = 24

/** Cited records by month or year, stacked by phenomenon; the same numbers stand in a table beneath for those who cannot see it. */
export function timelineSection({ report, records }: DocumentFacts): Html {
  const { start, end } = report.window
  const bins = binsOf(start, end)
  const counts = new Map(bins.map((bin) => [bin, new Map<Phenomenon, number>()]))
  for (const record of records) {
    const bin = counts.get(record.occurred_on.slice(0, bins[0]?.length ?? 4))
    if (bin) bin.set(phenomenonOf(record), (bin.get(phenomenonOf(record)) ?? 0) + 1)
  }
  const totals = [...counts].map(([bin, of]) => ({ bin, of, total: [...of.values()].reduce((sum, n) => sum + n, 0) }))
  const top = Math.max(1, ...totals.map(({ total }) => total))
  const step = WIDTH / bins.length
  const bars = totals.map(({ bin, of }, index) => {
    let y = BASE
    const parts = phenomena.map(({ id, colour }) => {
      const height = ((of.get(id) ?? 0) / top) * (BASE - 16)
      y -= height
      return height
        ? `<rect x="${(index * step + step * 0.15).toFixed(1)}" y="${y.toFixed(1)}" width="${(step * 0.7).toFixed(1)}" height="${height.toFixed(1)}" fill="${colour}"/>`
        : ''
    })
    const labelled = index % Math.ceil(bins.length / 14) === 0
    return `${parts.join('')}${labelled ? `<text x="${(index * step + step / 2).toFixed(1)}" y="${BASE + 14}" text-anchor="middle" class="small">${bin}</text>` : ''}`
  })
  const picture = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Cited records over time" class="chart"><path d="M0 ${BASE} H${WIDTH}" stroke="#6b7280"/><text x="2" y="12" class="small">${top}</text>${bars.join('')}</svg>`
  return html`<section class="keep"><h2>Timeline</h2>
    <figure>${raw(picture)}<figcaption>Cited records by ${bins[0]?.length === 7 ? 'month' : 'year'}, ${start} to ${end}.</figcaption></figure>
    <p class="fine">${
      totals
        .filter(({ total }) => total > 0)
        .map(({ bin, total }) => `${bin}: ${total}`)
        .join('; ') || 'No records.'
    }</p>
  </section>`
}

function binsOf(start: string, end: string): string[] {
  const [from, until] = [start, end].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1) as [number, number]
  if (until - from < MONTHS_MAX) {
    return Array.from(
      { length: until - from + 1 },
      (_, index) => `${Math.floor((from + index) / 12)}-${String(((from + index) % 12) + 1).padStart(2, '0')}`,
    )
  }
  return Array.from({ length: Math.floor(until / 12) - Math.floor(from / 12) + 1 }, (_, index) => String(Math.floor(from / 12) + index))
}
