import { present } from '#domain/kernel/present.ts'
import { pluralize } from '#domain/kernel/text.ts'
import { type DrawnLayer, drawnLayerOf, drawnLayers, legend, markerShape } from '#domain/reports/document/drawn-layers.ts'
import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import { type Html, html, raw } from '#domain/reports/document/html.ts'

const WIDTH = 680
const HEIGHT = 150
const BASE = 126
/** Space above the tallest bar, for the axis label. */
const AIR = 18
/** A part of a bar that is smaller has no marker. */
const MARKER_MIN = 13
/** The widest bar: with three years, wider ones would look like a wall. */
const BAR_MAX = 64
/** The most labels under the bars: more would touch. */
const LABELS_MAX = 14
/** Windows of up to this many months have one bar per month, longer ones one per year. */
const MONTHS_MAX = 24

/** Draws the cited records by month or year, stacked by phenomenon; a table below has the same numbers for readers who cannot see it. */
export function timelineSection({ report, records }: DocumentFacts): Html {
  const { start, end } = report.window
  const bins = binsOf(start, end)
  const counts = new Map(bins.map((bin) => [bin, new Map<DrawnLayer, number>()]))
  for (const record of records) {
    const bin = counts.get(record.occurred_on.slice(0, bins[0]?.length ?? 4))
    if (bin) bin.set(drawnLayerOf(record), (bin.get(drawnLayerOf(record)) ?? 0) + 1)
  }
  const totals = [...counts].map(([bin, of]) => ({ bin, of, total: [...of.values()].reduce((sum, n) => sum + n, 0) }))
  const top = Math.max(1, ...totals.map(({ total }) => total))
  const step = WIDTH / bins.length
  const barWidth = Math.min(step * 0.7, BAR_MAX)
  const bars = totals.map(({ bin, of }, index) => {
    const middle = (index + 0.5) * step
    const labelled = index % Math.ceil(bins.length / LABELS_MAX) === 0
    const label = labelled ? `<text x="${middle.toFixed(1)}" y="${BASE + 14}" text-anchor="middle" class="small">${bin}</text>` : ''
    return stacked(of, middle, barWidth, (BASE - AIR) / top) + label
  })
  const shown = drawnLayers.map(({ id }) => id).filter((id) => totals.some(({ of }) => of.has(id)))
  const picture = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Cited records over time" class="chart"><path d="M0 ${BASE} H${WIDTH}" stroke="#6b7280"/><text x="2" y="12" class="small">${pluralize(top, 'record')}</text>${bars.join('')}</svg>`
  return html`<section class="keep"><h2>Timeline</h2>
    ${records.length === 0 ? html`<p>No records.</p>` : html`<figure>${raw(picture)}<figcaption>${caption(report, records, bins[0]?.length === 7 ? 'month' : 'year')}</figcaption></figure>${legend(shown, true)}`}
    <p class="fine">${totals.filter(({ total }) => total > 0).map(({ bin, of, total }, index) => html`${index === 0 ? '' : '; '}<span class="whole">${bin}</span>: ${total} (${shares(of)})`)}</p>
  </section>`
}

/**
 * Without the later sentences, ten times as many reports in 2010 as in 1960 would look like ten times as many storms, and so would a year
 * whose records are of all the county.
 */
function caption(
  { window: { start, end }, coverage }: DocumentFacts['report'],
  records: DocumentFacts['records'],
  unit: 'month' | 'year',
): string {
  const areal = records.filter(({ relevance }) => relevance.distance_miles === null).length
  const sentences = [
    `Cited records by ${unit}, ${start} to ${end}.`,
    areal > 0 && `${areal} of them ${areal === 1 ? 'names' : 'name'} a county or a forecast zone, not a point.`,
    unit === 'year' && 'How completely storms were reported changed over the years: the bars do not compare how stormy they were.',
    !coverage.complete && `A ${unit} without a bar may be one of which no records are held: see the coverage.`,
  ]
  return sentences.filter((sentence) => sentence !== false).join(' ')
}

const shares = (of: Map<DrawnLayer, number>) =>
  drawnLayers
    .filter(({ id }) => of.has(id))
    .map(({ id, label }) => `${label.toLowerCase()} ${of.get(id)}`)
    .join(', ')

/** Draws one bar: a part for each phenomenon, always in the same order, with its marker if there is room for it. */
function stacked(of: Map<DrawnLayer, number>, middle: number, wide: number, unit: number): string {
  let foot = BASE
  return drawnLayers
    .filter(({ id }) => of.has(id))
    .map(({ id, colour }) => {
      const height = present(of.get(id)) * unit
      foot -= height
      const marker =
        Math.min(height, wide) < MARKER_MIN
          ? ''
          : `<g transform="translate(${middle.toFixed(1)} ${(foot + height / 2).toFixed(1)})">${markerShape(id, '#fff')}</g>`
      return `<rect x="${(middle - wide / 2).toFixed(1)}" y="${foot.toFixed(1)}" width="${wide.toFixed(1)}" height="${height.toFixed(1)}" fill="${colour}" stroke="#fff" stroke-width="0.75"/>${marker}`
    })
    .join('')
}

function binsOf(start: string, end: string): string[] {
  const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
  const [from, until] = [monthOf(start), monthOf(end)]
  if (until - from < MONTHS_MAX) {
    return Array.from(
      { length: until - from + 1 },
      (_, index) => `${Math.floor((from + index) / 12)}-${String(((from + index) % 12) + 1).padStart(2, '0')}`,
    )
  }
  return Array.from({ length: Math.floor(until / 12) - Math.floor(from / 12) + 1 }, (_, index) => String(Math.floor(from / 12) + index))
}
