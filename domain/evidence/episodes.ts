import { isLargestOfHours } from '#domain/archive/radar/cell-records.ts'
import { EPISODE_GAP_MS, OVER_PLACE_MIN_IN } from '#domain/archive/radar/storm-episodes.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { groupBy } from '#domain/kernel/group-by.ts'

/**
 * Keeps the strongest radar records. Radar sees one storm in many cells and scans, so for each storm episode only its
 * largest cell stays, and the largest cell over the address from 0.50 in. The largest of a day stays only if no scan of its
 * hours is as large, because it comes from one of its scans; over the address likewise. Other records stay unchanged, in
 * their order.
 * @param precise false if the place is the centre of a ZIP or city: no cell is then over the address
 */
export function onePerEpisode(records: NearbyRecord[], precise: boolean): NearbyRecord[] {
  const radar = records.filter(isRadar)
  const scans = radar.filter((record) => !isLargestOfHours(record))
  const days = [...groupBy(radar.filter(isLargestOfHours), ({ occurred_on }) => occurred_on).values()]
  const kept = new Set([
    ...episodesOf(scans).flatMap((episode) => strongestOf(episode, precise)),
    ...days.flatMap((day) => strongestOf(day, precise)).filter((largest) => !isScanned(largest, scans, precise)),
  ])
  return records.filter((record) => !isRadar(record) || kept.has(record))
}

/** Whether a scan shows at least as much as the largest of a day. */
function isScanned(largest: NearbyRecord, scans: NearbyRecord[], precise: boolean): boolean {
  const over = isOverAddress(largest, precise) && size(largest) >= OVER_PLACE_MIN_IN
  return scans.some((scan) => size(scan) >= size(largest) && isWithin(scan.begins_at, largest) && (!over || isOverAddress(scan, precise)))
}

function isWithin(moment: Date, { begins_at, ends_at }: NearbyRecord): boolean {
  return moment >= begins_at && moment <= (ends_at ?? begins_at)
}

/** Whether the record's radar cell is over the place. */
export function isOverAddress(record: NearbyRecord, precise: boolean): boolean {
  return precise && isRadar(record) && record.precision === 'grid' && record.distance_miles === 0
}

/** Whether a record is an estimate by radar, not a report or a measurement. */
export function isRadar(record: Pick<NearbyRecord, 'evidence_kind'>): boolean {
  return record.evidence_kind === 'radar'
}

function episodesOf(scans: NearbyRecord[]): NearbyRecord[][] {
  const episodes: NearbyRecord[][] = []
  let until = Number.NEGATIVE_INFINITY
  for (const scan of [...scans].sort((a, b) => a.begins_at.getTime() - b.begins_at.getTime() || a.id - b.id)) {
    if (scan.begins_at.getTime() - until > EPISODE_GAP_MS) episodes.push([])
    episodes.at(-1)?.push(scan)
    until = Math.max(until, (scan.ends_at ?? scan.begins_at).getTime())
  }
  return episodes
}

function strongestOf(episode: NearbyRecord[], precise: boolean): NearbyRecord[] {
  const bySize = [...episode].sort((a, b) => size(b) - size(a) || (a.distance_miles ?? 0) - (b.distance_miles ?? 0))
  const over = bySize.find((scan) => isOverAddress(scan, precise) && size(scan) >= OVER_PLACE_MIN_IN)
  return [bySize[0], over].filter((scan) => scan !== undefined)
}

function size(record: NearbyRecord): number {
  return record.hail_size_in ?? 0
}
