import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Geometry } from 'geojson'
import type { ResultOf } from 'gql.tada'
import { useCallback, useMemo, useState } from 'react'
import { ask, graphql } from '../../api/graphql.ts'
import type { Box } from '../../map/box.ts'
import { type Content, cell, record, swath } from '../../map/content.ts'
import { copyText } from '../../parts/copy-text.ts'
import { inches, typeInWords } from '../../parts/format.ts'
import { MapPart } from '../../parts/map.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { supportsMaps } from '../../parts/supports-maps.ts'
import { useNotify } from '../../parts/toasts.tsx'
import { dayNotes, nearestStep, playableBox, radarAt, timesOf } from './moments.ts'
import { Player } from './player.tsx'
import { MapInWords } from './reported.tsx'

const PLAYBACK = graphql(`
  query Playback($date: Date!, $south: Float!, $west: Float!, $north: Float!, $east: Float!) {
    playback(date: $date, south: $south, west: $west, north: $north, east: $east) {
      moments { at cells { latitude longitude mesh_in } }
      context {
        reports { at type magnitude_in latitude longitude }
        warnings { label issued expires }
      }
      meta { available thinned timezone reports_without_point largest_of { from until } }
    }
  }
`)

const SWATHS = graphql(`
  query Swaths($date: Date!, $south: Float!, $west: Float!, $north: Float!, $east: Float!) {
    swaths(date: $date, south: $south, west: $west, north: $north, east: $east) { from_in to_in source geometry }
  }
`)

type Playback = NonNullable<ResultOf<typeof PLAYBACK>['playback']>

interface Props {
  date: string
  /** Id of the place that the day is shown over. */
  place: string
  /** The area that the map shows. */
  view: Box
  /** The team's own places. */
  places: readonly Content[]
  /** Called with each moment that is shown, settled or not. */
  onMoment: (at: string | undefined) => void
}

/** A day over a place, from its first moment to its last: map, player and swaths. */
export function StormDay({ view, ...props }: Props) {
  const { date } = props
  const [west, south, east, north] = playableBox(view)
  const box = { west, south, east, north }
  const found = useQuery({
    queryKey: ['playback', date, box],
    queryFn: () => ask(PLAYBACK, { date, ...box }),
    staleTime: 60_000,
  })
  if (found.isPending) return <Loading what="the day" />
  if (found.isLoadingError) return <Failed error={found.error} retry={() => found.refetch()} />
  const { playback } = found.data
  return playback ? <StormDayPlayer key={`${date} ${view.join()}`} {...props} playback={playback} view={view} /> : null
}

function StormDayPlayer({ playback: { moments, context, meta }, date, place, view, places, onMoment }: Props & { playback: Playback }) {
  const { at } = useSearch({ from: '/framed/storms' })
  const navigate = useNavigate({ from: '/storms' })
  const notify = useNotify()
  const { largest_of } = meta
  const times = useMemo(() => timesOf(largest_of ? [] : moments, context.reports), [moments, largest_of, context])
  // A time, not a step: when the day is read again, another step may have that time.
  const [shownAt, setShownAt] = useState(() => isoAt(times[nearestStep(times, at)]) ?? at)
  const step = nearestStep(times, shownAt)
  const [showAll, setShowAll] = useState(false)
  const [canShowMap] = useState(supportsMaps)
  const { swaths, choice } = useSwaths(date, view)
  const time = times[step]
  const current = useMemo(
    () => ({
      cells: radarAt(moments, largest_of, time)?.cells ?? [],
      reports: time === undefined ? [] : context.reports.filter(({ at }) => Date.parse(at) <= time),
    }),
    [moments, largest_of, context, time],
  )
  const content = useMemo(() => {
    const reports = current.reports.map((one) =>
      record(one, one.type, [typeInWords(one.type), one.magnitude_in !== null && inches(one.magnitude_in)].filter(Boolean).join(', ')),
    )
    return [...swaths, ...current.cells.map((one) => cell(one, one.mesh_in)), ...reports, ...places]
  }, [current, places, swaths])
  const onStep = useCallback(
    (to: number, isSettled: boolean) => {
      const moment = isoAt(times[to])
      setShownAt(moment)
      onMoment(moment)
      if (!isSettled || moment === undefined) return
      // The day and the place, too: without them the address would later show the newest day, over another place.
      navigate({ search: { day: date, place, at: moment }, replace: true, resetScroll: false })
    },
    [times, navigate, onMoment, date, place],
  )
  const copyLink = async () => {
    if (time === undefined) return
    const link = new URL(location.href)
    for (const [name, value] of Object.entries({ day: date, place, at: new Date(time).toISOString() })) link.searchParams.set(name, value)
    const isCopied = await copyText(link.href)
    notify(isCopied ? 'Link copied.' : 'The browser did not allow copying. Copy the link from the address bar.')
  }
  const inForce =
    time === undefined ? [] : context.warnings.filter(({ issued, expires }) => Date.parse(issued) <= time && time < Date.parse(expires))
  return (
    <>
      <MapPart tall label="Map of the storm day" view={view} content={content} archive={showAll && { day: date }} />
      {times.length > 0 ? (
        <Player times={times} timezone={meta.timezone} step={step} onStep={onStep} copyLink={copyLink} />
      ) : (
        <Empty title="Nothing to play on this day">
          <p>
            No radar moments and no timed reports of this day that name a point are stored here.
            {canShowMap && ' You can show all records of the day at once.'}
          </p>
        </Empty>
      )}
      {canShowMap ? (
        <label className="row">
          <input type="checkbox" checked={showAll} onChange={(event) => setShowAll(event.target.checked)} /> Show all records of the day
        </label>
      ) : (
        (times.length > 0 || largest_of) && <MapInWords {...current} areOfHours={largest_of !== null} timezone={meta.timezone} />
      )}
      {choice}
      <p className="soft small" aria-live="off">
        {warningsInWords(context.warnings, inForce)} {dayNotes(meta)}
      </p>
    </>
  )
}

const isoAt = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

/** The warnings in force, as a sentence. No warning in the archive does not mean that none was issued. */
function warningsInWords(warnings: Playback['context']['warnings'], inForce: Playback['context']['warnings']): string {
  if (warnings.length === 0) return 'The archive has no warning here for this day. That does not show that none was issued.'
  if (inForce.length === 0) return 'No warning in the archive is in force here at this time.'
  return `In force: ${inForce.map(({ label }) => label).join(', ')}.`
}

/** The swaths of the day, as a layer under the moments that can be switched on. */
function useSwaths(date: string, view: Box) {
  const [shown, setShown] = useState(false)
  const [west, south, east, north] = playableBox(view)
  const box = { west, south, east, north }
  const query = useQuery({
    queryKey: ['swaths', date, box],
    queryFn: () => ask(SWATHS, { date, ...box }),
    staleTime: 60_000,
    enabled: shown,
  })
  const swathBands = query.data?.swaths
  const swaths = useMemo(
    () => (shown && swathBands ? swathBands.map(({ geometry, from_in }) => swath(geometry as Geometry, from_in)) : []),
    [shown, swathBands],
  )
  const isSample = swathBands?.some(({ source }) => source === 'sample')
  const bands = swathBands?.map(({ from_in, to_in }) =>
    to_in === null ? `${inches(from_in)} or more` : `${inches(from_in)} to ${inches(to_in)}`,
  )
  const choice = (
    <>
      <label className="row">
        <input type="checkbox" checked={shown} onChange={(event) => setShown(event.target.checked)} /> Show the swaths of the day
      </label>
      {shown && query.isPending && <Loading what="the swaths" />}
      {shown && query.isLoadingError && <Failed what="The swaths" error={query.error} retry={() => query.refetch()} />}
      {shown && bands && (
        <p className="soft small" role="status">
          {bands.length === 0
            ? 'The archive has no swath here for this day. That does not show that no hail fell.'
            : `${isSample ? 'Sample, made up. ' : ''}Radar estimated, largest of the day: ${bands.join('; ')}.`}
        </p>
      )}
    </>
  )
  return { swaths, choice }
}
