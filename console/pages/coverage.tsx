import { useQuery } from '@tanstack/react-query'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { counted, month } from '../parts/format.ts'
import { SelectField } from '../parts/select-field.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'

const COVERAGE = graphql(`query Coverage { archiveCoverage { source label by_day states { state spans { from to preliminary early } } } }`)

type Source = NonNullable<ResultOf<typeof COVERAGE>['archiveCoverage']>[number]
type State = Source['states'][number]

/** How far back the chart goes. The longest shows whole decades, the shortest single months. */
const yearRanges = { 5: 'The last 5 years', 20: 'The last 20 years', 100: 'All years' } as const
type Years = keyof typeof yearRanges

/** The months for which the archive has data of each state: what a report can draw on. */
export function CoveragePage() {
  const found = useQuery({ queryKey: ['coverage'], queryFn: () => ask(COVERAGE, {}) })
  return (
    <>
      <header className="page-head">
        <div>
          <h1>Coverage</h1>
          <p className="soft">
            The months for which the archive has data. Outside them, a report that finds nothing does not show that nothing happened.
          </p>
        </div>
      </header>
      {found.isPending && <Loading what="the archive coverage" />}
      {found.isLoadingError && <Failed error={found.error} retry={() => found.refetch()} />}
      {found.data && <Sources sources={found.data.archiveCoverage ?? []} />}
    </>
  )
}

function Sources({ sources }: { sources: readonly Source[] }) {
  const [chosen, setChosen] = useState<string>()
  const [years, setYears] = useState<Years>(5)
  const source = sources.find((one) => one.source === chosen) ?? sources[0]
  if (!source)
    return (
      <Empty title="The archive is empty">
        <p>The operator of this service imports the first files. Until then, every report states that the archive has no data.</p>
      </Empty>
    )
  return (
    <>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <SelectField
          label="Source"
          value={source.source}
          change={setChosen}
          options={sources.map(({ source: name, label }) => [name, label])}
        />
        <SelectField label="Years" value={years} change={(value) => setYears(yearsOf(value))} options={Object.entries(yearRanges)} />
      </form>
      <CoverageChart source={source} years={years} />
      <details className="panel">
        <summary>Show as a table</summary>
        <Table<State>
          caption={`Months with data from ${source.label}, by state`}
          rows={source.states}
          keyOf={({ state }) => state}
          columns={[
            { label: 'State', show: ({ state }) => state },
            { label: 'Months with data', show: ({ spans }) => spans.map(spanText).join('; ') },
          ]}
        />
      </details>
    </>
  )
}

function yearsOf(value: string): Years {
  return value === '20' ? 20 : value === '100' ? 100 : 5
}

function spanText({ from, to, preliminary, early }: State['spans'][number]): string {
  return `${from === to ? month(from) : `${month(from)} to ${month(to)}`}${preliminary ? ' (preliminary)' : early ? ' (compiled early)' : ''}`
}

/** The months since year 0 for a text like YYYY-MM. */
function monthNumber(text: string): number {
  const [year = 0, monthOfYear = 1] = text.split('-').map(Number)
  return year * 12 + monthOfYear - 1
}

/** The number of year labels that fit side by side on a narrow screen. */
const YEAR_LABELS_MAX = 6

function januariesBetween(since: number, until: number): number[] {
  const first = Math.ceil(since / 12)
  return Array.from({ length: Math.max(Math.ceil(until / 12) - first, 0) }, (_, index) => (first + index) * 12)
}

/** One row per state, with a bar for each run of months. */
function CoverageChart({ source: { label, by_day, states }, years }: { source: Source; years: Years }) {
  const spans = states.flatMap((one) => one.spans)
  const until = Math.max(...spans.map(({ to }) => monthNumber(to))) + 1
  const since = Math.max(Math.min(...spans.map(({ from }) => monthNumber(from))), until - years * 12)
  const januaries = januariesBetween(since, until)
  const gridPath = januaries.map((at) => `M${at} 0V1`).join('')
  const labelled = januaries.filter((_, place) => place % Math.ceil(januaries.length / YEAR_LABELS_MAX) === 0)
  return (
    <figure className="panel coverage">
      <figcaption className="row small">
        <span className="key final" /> {by_day ? 'Data for at least one day' : 'Final record'}
        {spans.some(({ preliminary }) => preliminary) && (
          <>
            <span className="key preliminary" /> Preliminary reports
          </>
        )}
        {spans.some(({ early }) => early) && (
          <>
            <span className="key early" /> Compiled early: offices may be missing
          </>
        )}
        <span className="key none" /> No data
      </figcaption>
      <div role="img" aria-label={`Months with data from ${label} in ${counted(states.length, 'state')}. The table below shows the same.`}>
        <div className="coverage-row soft small">
          <span />
          <div className="coverage-years">
            {labelled.map((at) => (
              <span key={at} style={{ left: `${((at - since) / (until - since)) * 100}%` }}>
                {at / 12}
              </span>
            ))}
          </div>
        </div>
        {states.map(({ state, spans: stateSpans }) => (
          <div key={state} className="coverage-row">
            <span className="small mono">{state}</span>
            <svg viewBox={`${since} 0 ${until - since} 1`} preserveAspectRatio="none" aria-hidden>
              <rect className="none" x={since} width={until - since} height={1} />
              {stateSpans.map(({ from, to, preliminary, early }) => (
                <rect
                  key={from + String(preliminary)}
                  className={preliminary ? 'preliminary' : early ? 'early' : 'final'}
                  x={monthNumber(from)}
                  width={monthNumber(to) - monthNumber(from) + 1}
                  height={1}
                />
              ))}
              <path className="grid" d={gridPath} />
            </svg>
          </div>
        ))}
      </div>
    </figure>
  )
}
