import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { useEffect, useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { Button } from '../parts/button.tsx'
import { day, inches, miles, milesPerHour } from '../parts/format.ts'
import { Listing } from '../parts/listing.tsx'
import { useSay } from '../parts/passing.tsx'
import { Empty } from '../parts/states.tsx'
import type { Column } from '../parts/table.tsx'
import { useHere } from '../signed-in.tsx'
import { InboxFilters } from './inbox-filters.tsx'

const EXPOSURES = graphql(`
  query Inbox($open: Boolean, $kind: ExposureKind, $from: Date, $to: Date, $min: Float, $page: Int) {
    exposures(open: $open, kind: $kind, from: $from, to: $to, min_measured_in: $min, page: $page, per_page: 50) {
      data {
        id kind date headline observed provisional sample acknowledged_at dismissed_at
        largest_measured_in largest_detected_in max_gust_mph nearest_miles
        subject { id object name }
        report_id
      }
      meta { current_page last_page total from to path per_page }
    }
  }
`)
const SETTLE = graphql(
  `mutation Settle($ids: [Int!]!, $dismiss: Boolean) { acknowledgeExposures(ids: $ids, dismiss: $dismiss) { id outcome } }`,
)
const REOPEN = graphql(`mutation Reopen($ids: [Int!]!) { reopenExposures(ids: $ids) { id } }`)

type Exposure = NonNullable<ResultOf<typeof EXPOSURES>['exposures']>['data'][number]

/** The page hears of what changes; where it does not, it looks so often. */
const LOOK_AGAIN_MS = 60_000

/** Storm days and warnings at the team's places: acknowledged or dismissed one by one, or many at once. */
export function InboxPage() {
  const search = useSearch({ from: '/framed/inbox' })
  const navigate = useNavigate({ from: '/inbox' })
  const { team } = useHere()
  const [at, setAt] = useState(0)
  const [chosen, setChosen] = useState<ReadonlySet<string | number>>(new Set())
  const works = team.role !== 'viewer'

  const found = useExposures()
  const rows = found.data?.exposures?.data ?? []

  const settle = useSettling(() => setChosen(new Set()))
  /** What is meant: the chosen ones, else the one that the cursor is at. */
  const meant = () => (chosen.size > 0 ? rows.filter(({ id }) => chosen.has(id)) : rows.slice(at, at + 1)).map(({ id }) => id)
  const act = (dismiss: boolean) => settle.mutate({ ids: meant(), dismiss })
  const idle = rows.length === 0 || settle.isPending

  useKeys(
    rows.length === 0
      ? {}
      : {
          j: () => setAt((place) => Math.min(place + 1, rows.length - 1)),
          k: () => setAt((place) => Math.max(place - 1, 0)),
          x: () => toggle(rows[at]?.id),
          '*': () => chooseAll(chosen.size < rows.length),
          ...(works && { e: () => act(false), '#': () => act(true) }),
        },
  )

  function toggle(id: number | string | undefined, on = id !== undefined && !chosen.has(id)) {
    if (id === undefined) return
    const others = [...chosen].filter((one) => one !== id)
    setChosen(new Set(on ? [...others, id] : others))
  }

  function chooseAll(on: boolean) {
    setChosen(new Set(on ? rows.map(({ id }) => id) : []))
  }

  return (
    <>
      <header className="page-head">
        <h1>Inbox</h1>
        {works && <Actions idle={idle} act={act} />}
      </header>
      <InboxFilters />
      <Listing<Exposure>
        what="the inbox"
        found={found}
        page={found.data?.exposures}
        empty={<Nothing open={(search.state ?? 'open') === 'open'} />}
        go={(page) => navigate({ search: (before) => ({ ...before, page }) })}
        caption="Exposures, the newest first"
        keyOf={({ id }) => id}
        at={at}
        chosen={chosen}
        {...(works && { choose: toggle, chooseAll })}
        columns={columns(works)}
      />
      <KeysHelp works={works} />
    </>
  )
}

/** @param idle whether there is nothing to act on */
function Actions({ idle, act }: { idle: boolean; act: (dismiss: boolean) => void }) {
  return (
    <div className="row">
      <Button isDisabled={idle} onPress={() => act(false)}>
        Acknowledge <kbd>e</kbd>
      </Button>
      <Button isDisabled={idle} onPress={() => act(true)}>
        Dismiss <kbd>#</kbd>
      </Button>
    </div>
  )
}

function useExposures() {
  const search = useSearch({ from: '/framed/inbox' })
  const state = search.state ?? 'open'
  const variables = {
    open: state === 'all' ? null : state === 'open',
    kind: search.kind === 'record' || search.kind === 'warning' ? search.kind : null,
    from: search.from ?? null,
    to: search.to ?? null,
    min: search.min_hail ? Number(search.min_hail) : null,
    page: search.page ?? 1,
  } as const
  return useQuery({
    queryKey: ['exposures', variables],
    queryFn: () => ask(EXPOSURES, variables),
    refetchInterval: LOOK_AGAIN_MS,
    placeholderData: keepPreviousData,
  })
}

/** Acknowledges or dismisses exposures, many in one call, and offers to take that back; `done` is called when all are settled. */
function useSettling(done: () => void) {
  const queries = useQueryClient()
  const say = useSay()
  const settle = useMutation({
    mutationFn: async ({ ids, dismiss }: { ids: number[]; dismiss: boolean }) => {
      const moved: number[] = []
      for (const part of partsOf(ids)) {
        const { acknowledgeExposures: rows } = await ask(SETTLE, { ids: part, dismiss })
        moved.push(...(rows ?? []).flatMap(({ id, outcome }) => (outcome === 'moved' ? [id] : [])))
      }
      return { ids: moved, dismiss }
    },
    onSuccess: ({ ids, dismiss }) => {
      done()
      const did = dismiss ? 'dismissed' : 'acknowledged'
      say(ids.length === 1 ? `One exposure ${did}.` : `${ids.length} exposures ${did}.`, () => reopen.mutate(ids))
    },
    onError: (fault) => say(fault.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['exposures'] }),
  })
  const reopen = useMutation({
    mutationFn: async (ids: number[]) => {
      for (const part of partsOf(ids)) await ask(REOPEN, { ids: part })
    },
    onError: (fault) => say(fault.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['exposures'] }),
  })
  return settle
}

/** Exposures that the service moves in one call. */
const AT_ONCE = 500
const partsOf = (ids: number[]) =>
  Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, part) => ids.slice(part * AT_ONCE, (part + 1) * AT_ONCE))

/** What each key does, unless somebody writes in a field. */
function useKeys(keys: Record<string, () => void>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const writing =
        event.target instanceof HTMLElement &&
        /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) &&
        event.target.getAttribute('type') !== 'checkbox'
      if (writing || event.ctrlKey || event.metaKey || event.altKey) return
      keys[event.key]?.()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })
}

/** @param works whether the person may act on exposures, and so ask for a report of one */
function columns(works: boolean): Column<Exposure>[] {
  return [
    { label: 'Day', short: true, show: ({ date }) => day(date) },
    { label: 'Place', show: ({ subject }) => subject.name },
    {
      label: 'What',
      show: (one) => (
        <>
          <Link to="/exposures/$id" params={{ id: String(one.id) }}>
            {one.headline}
          </Link>{' '}
          {one.kind === 'warning' && <span className="badge warn">Warning</span>}{' '}
          {!one.observed && one.kind === 'record' && <span className="badge">Radar alone</span>}{' '}
          {one.provisional && <span className="badge">Provisional</span>} {one.sample && <span className="badge">Sample</span>}
        </>
      ),
    },
    { label: 'Hail reported', number: true, show: (one) => inches(one.largest_measured_in) },
    { label: 'Hail by radar', number: true, show: (one) => inches(one.largest_detected_in) },
    { label: 'Gust', number: true, show: (one) => milesPerHour(one.max_gust_mph) },
    { label: 'Nearest', number: true, show: (one) => miles(one.nearest_miles) },
    { label: 'State', show: stateOf },
    {
      label: 'Report',
      show: (one) =>
        one.report_id ? (
          <Link to="/reports/$id" params={{ id: one.report_id }}>
            Read it
          </Link>
        ) : works && one.subject.object === 'property' ? (
          <Link to="/reports/new" search={{ property: one.subject.id, day: one.date }}>
            Report this day
          </Link>
        ) : (
          '–'
        ),
    },
  ]
}

function Nothing({ open }: { open: boolean }) {
  return (
    <Empty title={open ? 'Nothing is open' : 'Nothing was found'}>
      <p>Storms and warnings at your properties and territories appear here by themselves.</p>
      <Link to="/properties">To the properties</Link>
    </Empty>
  )
}

function KeysHelp({ works }: { works: boolean }) {
  return (
    <p className="soft small">
      <kbd>j</kbd> <kbd>k</kbd> down and up
      {works && (
        <>
          {' '}
          · <kbd>x</kbd> choose · <kbd>*</kbd> choose all · <kbd>e</kbd> acknowledge · <kbd>#</kbd> dismiss
        </>
      )}{' '}
      · <kbd>Ctrl K</kbd> go to
    </p>
  )
}

function stateOf({ acknowledged_at, dismissed_at }: Exposure) {
  if (dismissed_at) return <span className="badge">Dismissed</span>
  if (acknowledged_at) return <span className="badge good">Acknowledged</span>
  return <span className="badge warn">Open</span>
}
