/** Values by series, as the Prometheus text format writes them: `weather_refusals_total{code="not_found"}`. */
export type Scrape = Map<string, number>

/** Reads the text format; the labels of a series are sorted by name. */
export function parseScrape(text: string): Scrape {
  const series = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, name, labels = '', value] = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? []
    if (!name) throw new Error(`no line of the text format: ${line}`)
    const sorted = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([pair]) => pair).sort()
    const key = sorted.length > 0 ? `${name}{${sorted.join(',')}}` : name
    if (series.has(key)) throw new Error(`a series stands twice: ${key}`)
    series.set(key, Number(value === '+Inf' ? Number.POSITIVE_INFINITY : value))
  }
  return series
}

/** Names of metrics, without the suffixes that a histogram adds. */
export function metricNames(text: string): Set<string> {
  return new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name as string))
}
