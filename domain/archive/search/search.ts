import type { App } from '#domain/app.ts'
import { coverageOf } from '#domain/archive/coverage/coverage.ts'
import { coverageWithStations } from '#domain/archive/coverage/coverage-with-cited.ts'
import { readFinalTo, readStoredCoverage } from '#domain/archive/coverage/read-coverage.ts'
import { canUseSample } from '#domain/archive/coverage/stored-coverage.ts'
import type { WindowCoverage } from '#domain/archive/coverage/window-coverage.ts'
import { nearbyObservations, type StationEvidence } from '#domain/archive/observations/nearby.ts'
import { findCells, isLargestOfHours, isOfScan, recordOfCell, recordOfDayCell } from '#domain/archive/radar/cell-records.ts'
import { nearbyRadar, radarReaches } from '#domain/archive/radar/nearby.ts'
import { type DayOver, nearbyDays } from '#domain/archive/radar/nearby-days.ts'
import type { NearbyRecord, SearchWindow, StoredRecord } from '#domain/archive/record.ts'
import { findNear } from '#domain/archive/search/find-near.ts'
import { findRunning, isRunning, runningRecord } from '#domain/archive/search/find-running.ts'
import { newestFirst } from '#domain/archive/search/newest-first.ts'
import { seenFrom } from '#domain/archive/search/seen-from.ts'
import { readRecords } from '#domain/archive/search/stored-records.ts'
import { withZoneNames } from '#domain/archive/search/zone-names.ts'
import { awaitRevisions } from '#domain/archive/versions/revision.ts'
import { countiesWithinRadius, statesWithinRadius } from '#domain/geo/counties.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { isSample } from '#domain/weather/sources.ts'

/** Everything that the archive has about one place's window, before supersession and relevance. */
export interface Evidence {
  /** Sorted by occurred_on, begins_at and id, descending. Radar cells that nobody has cited yet count as the newest of their time. */
  records: NearbyRecord[]
  observations: StationEvidence
  coverage: WindowCoverage
  /** The largest radar estimate in the grid cell over the place, by day. */
  radar_over: DayOver[]
}

/**
 * Returns everything within reach of a place in a window, and the coverage of the archive. A record is included if the
 * unrounded distance to its point, path or area is at most the radius, or if the circle meets its county or a county of its
 * zone. Made-up records are returned only if there are no real ones. Radar is read from its frames, and from the largest of
 * each day, which stays when the frames are deleted. A cell becomes a record when it is cited, and has the id NOT_STORED
 * until then. The search writes nothing.
 * @param as_of a time in the past, to search the archive as it was then; null to search it as it is now
 */
export async function searchArchive(
  { pool, clock }: Pick<App, 'pool' | 'clock'>,
  place: LocatedPlace,
  window: SearchWindow,
  as_of: Date | null = null,
): Promise<Evidence> {
  if (as_of !== null) await awaitRevisions(pool)
  const counties = countiesWithinRadius(place.latitude, place.longitude, window.radius_miles)
  const states = statesWithinRadius(place.latitude, place.longitude, window.radius_miles)
  const [found, scanned, days, running, storedCoverage, observations] = await Promise.all([
    findNear(pool, place, window, counties, as_of),
    nearbyRadar(pool, place, window, as_of),
    nearbyDays(pool, place, window, as_of),
    findRunning(pool, place, window, counties, as_of),
    readStoredCoverage({ pool, clock }, place, states, window, as_of),
    nearbyObservations(pool, place, window, as_of),
  ])
  const cells = await findCells(pool, [...scanned.cells.map(recordOfCell), ...days.cells.map(recordOfDayCell)])
  const cellIds = new Set(cells.ids)
  // Other stored cells were cited by other reports, for another place or before the day was raised, or belong to other watches. Which of
  // them exist must not change a report.
  const isChosenElsewhere = (record: StoredRecord) =>
    isLargestOfHours(record) || (isOfScan(record) && scanned.wasChosenFrom(record.source, record.begins_at))
  const candidates = (await readRecords(pool, [...new Set([...found, ...cells.ids])], as_of)).filter(
    (record) => cellIds.has(record.id) || !isChosenElsewhere(record),
  )
  const records = await withZoneNames(pool, seenFrom(place, window.radius_miles, [...candidates, ...cells.unstored]), as_of)
  const real = records.filter((record) => !isSample(record))
  const sample = real.length === 0 && canUseSample(storedCoverage)
  // A report at sea, or beside a border, may be filed under a state that the circle does not meet.
  const statesBeyond = real.flatMap(({ preliminary, state }) => (preliminary && state !== null && !states.includes(state) ? [state] : []))
  const finalBeyond = await readFinalTo(pool, [...new Set(statesBeyond)], as_of)
  const held = { ...storedCoverage, final_to: { ...storedCoverage.final_to, ...finalBeyond } }
  const runningCandidates = seenFrom(place, window.radius_miles, await readRecords(pool, running, as_of)).filter(
    (record) => isSample(record) === sample,
  )
  const has_mosaic = storedCoverage.held_days.some(({ source, state }) => source === 'noaa_mesh' && state === storedCoverage.state)
  const reaches = has_mosaic ? await radarReaches(pool, place, window, as_of) : null
  const running_into = runningCandidates
    .filter((record) => isRunning(record, place, window))
    .sort(newestFirst)
    .map(runningRecord)
  return {
    records: (sample ? records : real).sort(newestFirst),
    observations,
    coverage: coverageWithStations(coverageOf(held, window, sample, running_into, reaches), observations.count),
    radar_over: days.over.filter((day) => isSample(day) === sample),
  }
}
