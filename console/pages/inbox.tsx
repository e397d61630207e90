import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../parts/button.tsx'
import { day, inches, isRadarOnly, milesPerHour, NEAREST, nearestOf } from '../parts/format.ts'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import type { Column } from '../parts/table.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useAcknowledge } from '../parts/use-acknowledge.ts'
import { useStaleResults } from '../parts/use-debounced.ts'
import { usePageKeys } from '../parts/use-page-keys.ts'
import { PAGE_ROWS, usePages } from '../parts/use-pages.ts'
import { VirtualTable } from '../parts/virtual-table.tsx'
import { useCurrentSession } from '../signed-in.tsx'
import { type Exposure, type Filters, readIds, readPage } from './inbox/exposures.ts'
import { faultOfDays, InboxFilters } from './inbox/filters.tsx'

/** The page follows changes. In case it misses one, it also reads the list again this often. */
const POLL_INTERVAL_MS = 60_000

/**
 * Storm days and warnings at the team's places: acknowledged or dismissed one by one, or many at once. The filters stay in place whatever
 * they find: otherwise the field that somebody writes in would lose the focus.
 */
export function InboxPage() {
  const { team } = useCurrentSession()
  const [actionsSlot, setActionsSlot] = useState<HTMLElement | null>(null)
  return (
    <>
      <header className="page-head">
        <h1>Inbox</h1>
        <div ref={setActionsSlot} />
      </header>
      <InboxFilters />
      <Exposures actionsSlot={actionsSlot} />
      <KeysHelp canEdit={team.role !== 'viewer'} />
    </>
  )
}

/** What the filters find, in its state. */
function Exposures({ actionsSlot }: Pick<RowsProps, 'actionsSlot'>) {
  const { state = 'open', kind, from, to, min_hail } = useSearch({ from: '/framed/inbox' })
  const filters: Filters = {
    open: state === 'all' ? null : state === 'open',
    kind: kind === 'record' || kind === 'warning' ? kind : null,
    from: from ?? null,
    to: to ?? null,
    min: min_hail ? Number(min_hail) : null,
  }
  const found = useQuery({
    queryKey: ['exposures', filters, 1],
    queryFn: () => readPage(filters, 1),
    refetchInterval: POLL_INTERVAL_MS,
    placeholderData: keepPreviousData,
    enabled: !faultOfDays(filters),
  })
  const outdated = useStaleResults(found)
  if (faultOfDays(filters)) return <NoExposures filters={filters} />
  if (found.isPending || (outdated && found.data?.total === 0)) return <Loading what="the inbox" />
  if (!found.data) return <Failed error={found.error} retry={() => found.refetch()} />
  const { filters: shown, total } = found.data
  if (total === 0) return <NoExposures filters={filters} />
  // New filters start at the first row with nothing selected.
  return <Rows key={JSON.stringify(shown)} filters={shown} total={total} outdated={outdated} actionsSlot={actionsSlot} />
}

interface RowsProps {
  filters: Filters
  total: number
  /** The filters have changed, and the new rows are being read. */
  outdated: boolean
  /** The place of the actions beside the heading. */
  actionsSlot: HTMLElement | null
}

/** All rows that the filters find. Pages are read when their rows come into sight. */
function Rows({ filters, total, outdated, actionsSlot }: RowsProps) {
  const { team } = useCurrentSession()
  const canEdit = team.role !== 'viewer'
  const notify = useNotify()
  const [{ at, id }, setCurrent] = useState<{ at: number; id?: number | undefined }>({ at: 0 })
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const { rowAt, look, fault, retry } = usePages<Exposure>(['exposures', filters], (page) => readPage(filters, page), total)
  // What was selected meanwhile stays selected.
  const acknowledge = useAcknowledge((handled) => {
    const done = new Set(handled)
    setChosen((now) => new Set([...now].filter((id) => !done.has(id))))
  })
  const selectAll = useMutation({
    mutationFn: () => readIds(filters, (sentence) => sentence && notify(sentence)),
    onSuccess: (ids) => setChosen(new Set(ids)),
    onError: (fault) => notify(fault.message),
  })
  // The list may have become shorter.
  const inList = (place: number) => Math.max(Math.min(place, total - 1), 0)
  // A key acts on the row that it was meant for, also when new rows come before it.
  const cursor = inList(placeOf(id, at, rowAt))
  const currentId = rowAt(cursor)?.id
  useLayoutEffect(() => setCurrent({ at: cursor, id: currentId }), [cursor, currentId])
  const busy = acknowledge.isPending || selectAll.isPending || outdated
  const [isEarly, setEarly] = useState(false)
  if (isEarly && !busy) setEarly(false)
  /** Acts on the selected rows, or on the row at the cursor if none is selected. */
  const act = (dismiss: boolean) => {
    // The rows are about to change: it is not certain which one is meant.
    if (busy) return setEarly(true)
    const ids = chosen.size > 0 ? [...chosen] : currentId === undefined ? [] : [currentId]
    if (ids.length > 0) acknowledge.mutate({ ids, dismiss, only_if_open: filters.open === true })
  }
  const choose = (id: number, on = !chosen.has(id)) => setChosen(new Set(on ? [...chosen, id] : [...chosen].filter((one) => one !== id)))
  const chooseAll = (on: boolean) => {
    const shown = total <= PAGE_ROWS ? Array.from({ length: total }, (_, index) => rowAt(index)?.id ?? 0) : null
    if (on && shown === null) selectAll.mutate()
    else setChosen(new Set(on ? shown : []))
  }
  usePageKeys({
    j: () => setCurrent((before) => ({ at: inList(before.at + 1) })),
    k: () => setCurrent((before) => ({ at: inList(inList(before.at) - 1) })),
    ...(canEdit && {
      x: () => currentId !== undefined && choose(currentId),
      '*': () => chooseAll(chosen.size < total),
      e: () => act(false),
      '#': () => act(true),
    }),
  })
  return (
    <>
      {canEdit && actionsSlot && createPortal(<Actions busy={busy} act={act} />, actionsSlot)}
      {outdated ? (
        <Loading what="the inbox" />
      ) : (
        <>
          <p className="soft small" role="status">
            {total.toLocaleString('en-US')} {total === 1 ? 'exposure' : 'exposures'}
            {chosen.size > 0 && `, ${chosen.size.toLocaleString('en-US')} selected`}
            {selectAll.isPending && ', selecting all …'}
            {isEarly && '. The list is being updated: press again when it is ready.'}
          </p>
          <VirtualTable<Exposure, number>
            caption="Exposures, newest first"
            columns={columnsFor(canEdit, filters.open === true)}
            count={total}
            rowAt={rowAt}
            keyOf={({ id }) => id}
            nameOf={({ headline, subject }) => `${headline}, ${subject.name}`}
            onVisibleRange={look}
            currentIndex={cursor}
            selected={chosen}
            {...(canEdit && { select: choose, selectAll: chooseAll })}
          />
          {fault && <Failed what="Some of the rows" error={fault} retry={retry} />}
        </>
      )}
    </>
  )
}

/** The place of a row at or near its last one; the last one if the row is gone. */
function placeOf(id: number | undefined, last: number, rowAt: (place: number) => Exposure | undefined): number {
  for (let by = 0; id !== undefined && by < PAGE_ROWS; by++) {
    const found = [last + by, last - by].find((place) => rowAt(place)?.id === id)
    if (found !== undefined) return found
  }
  return last
}

function Actions({ busy, act }: { busy: boolean; act: (dismiss: boolean) => void }) {
  return (
    <div className="row">
      <Button isPending={busy} onPress={() => act(false)}>
        Acknowledge <kbd>e</kbd>
      </Button>
      <Button isPending={busy} onPress={() => act(true)}>
        Dismiss <kbd>#</kbd>
      </Button>
    </div>
  )
}

/**
 * @param canEdit whether the person may act on exposures and create reports
 * @param open whether only open exposures are shown
 */
function columnsFor(canEdit: boolean, open: boolean): Column<Exposure>[] {
  return [
    { label: 'Day', short: true, show: ({ date }) => day(date) },
    { label: 'Place', show: ({ subject }) => subject.name },
    {
      label: 'Exposure',
      wide: true,
      sentence: true,
      show: (one) => (
        <>
          <Link to="/exposures/$id" params={{ id: String(one.id) }}>
            {one.headline}
          </Link>{' '}
          {one.kind === 'warning' && <span className="badge warn">Warning</span>}{' '}
          {isRadarOnly(one) && <span className="badge">Radar only</span>} {one.provisional && <span className="badge">Provisional</span>}{' '}
          {one.sample && <span className="badge">Sample</span>} {!open && stateOf(one)}
        </>
      ),
    },
    { label: 'Hail reported', number: true, show: (one) => inches(one.largest_measured_in) },
    { label: 'Hail by radar', number: true, show: (one) => inches(one.largest_detected_in) },
    { label: 'Gust', number: true, show: (one) => milesPerHour(one.max_gust_mph) },
    { label: NEAREST, number: true, show: nearestOf },
    {
      label: 'Report',
      short: true,
      show: (one) =>
        one.report_id ? (
          <Link to="/reports/$id" params={{ id: one.report_id }}>
            View report
          </Link>
        ) : canEdit && one.kind === 'record' && one.subject.object === 'property' ? (
          <Link to="/reports/new" search={{ property: one.subject.id, day: one.date }}>
            Create report
          </Link>
        ) : (
          '–'
        ),
    },
  ]
}

function NoExposures({ filters: { open, ...otherFilters } }: { filters: Filters }) {
  const { team } = useCurrentSession()
  if (open !== true || Object.values(otherFilters).some((one) => one !== null))
    return (
      <Empty title="No exposures match">
        <p>Change the filters, or show all open exposures.</p>
        <Link className="button" to="/inbox">
          Show open exposures
        </Link>
      </Empty>
    )
  return (
    <Empty title="No open exposures">
      <p>Storms and warnings at your properties and territories appear here automatically.</p>
      <div className="row">
        <Link className="button" to="/properties">
          {team.role === 'viewer' ? 'View properties' : 'Watch properties'}
        </Link>
        {team.role !== 'viewer' && (
          <Link className="button" to="/territories/new">
            Draw a territory
          </Link>
        )}
      </div>
    </Empty>
  )
}

function KeysHelp({ canEdit }: { canEdit: boolean }) {
  return (
    <p className="soft small">
      <kbd>j</kbd> <kbd>k</kbd> down and up
      {canEdit && (
        <>
          {' '}
          · <kbd>x</kbd> select · <kbd>*</kbd> select all · <kbd>e</kbd> acknowledge · <kbd>#</kbd> dismiss
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
