import { InvalidArgumentError } from 'commander'
import { operateWithoutTimeout } from '../api.ts'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import { exits, failure } from '../failure.ts'
import { liveLine, print, printLine } from '../format.ts'
import type { Settings } from './command.ts'

export interface RadarOptions {
  year?: number
  from?: string
  to?: string
  days?: boolean
  frames?: boolean
  notify?: boolean
}

/** In the west, a local day ends at 08:00 UTC of the next day. */
const LATEST_END_MS = 32 * HOUR_MS

const SYNC = `mutation ($day: Date!, $frames: Boolean, $notify: Boolean) {
  archiveSyncRadarDay(day: $day, frames: $frames, notify: $notify) {
    day up_to_date grids left imports { file_name rows inserted unchanged } faults { file_name reason } } }`

interface SyncedDay {
  day: string
  up_to_date: boolean
  grids: number
  left: number
  imports: { file_name: string; inserted: number }[]
  faults: { file_name: string; reason: string }[]
}

/** Imports past radar days one by one. Days already read are skipped. */
export async function syncRadarDays(options: RadarOptions, setting: Settings): Promise<void> {
  if (options.year !== undefined) throw failure(exits.usage, 'Radar needs days: --from 2020-10 --to 2020-12.')
  if (options.days && options.frames) throw failure(exits.usage, 'Give --days or --frames, not both.')
  const days = daysOf(options, new Date())
  const totals = { from: days[0], to: days.at(-1), days: days.length, read: 0, held: 0, without_grid: 0, grids: 0, unusable: 0 }
  const live = liveLine()
  let finished = 0
  try {
    for (const [nth, day] of days.entries()) {
      live.show(`${day}: day ${nth + 1} of ${days.length}`)
      const synced = await syncDay(day, options, setting, (text) => live.show(`${day}: day ${nth + 1} of ${days.length}, ${text}`))
      if (synced.faults.length > 0) live.clear()
      for (const { file_name, reason } of synced.faults) printLine(`${day}: ${file_name}: ${reason}`)
      totals.grids += synced.imported
      totals.unusable += synced.faults.length
      finished++
      totals[synced.up_to_date ? 'held' : synced.imported > 0 ? 'read' : 'without_grid']++
    }
  } catch (fault) {
    live.clear()
    printLine(`${finished} of ${days.length} days are done. The same command continues from there.`)
    throw fault
  } finally {
    live.clear()
  }
  print(totals, setting)
  if (totals.unusable > 0) process.exitCode = exits.failure
}

/** A call reads only some moments of a day, so it is repeated until none is left. */
async function syncDay(day: string, { frames, notify }: RadarOptions, { connection }: Settings, onProgress: (text: string) => void) {
  const faults: SyncedDay['faults'] = []
  for (let imported = 0; ; ) {
    const synced = await operateWithoutTimeout<SyncedDay>(connection, SYNC, { day, frames, notify })
    imported += synced.imports.length
    faults.push(...synced.faults.filter(({ file_name }) => !faults.some((named) => named.file_name === file_name)))
    if (synced.left === 0) return { up_to_date: synced.up_to_date, imported, faults }
    onProgress(`${synced.grids - synced.left} of ${synced.grids} moments`)
  }
}

/** The days of a range, each YYYY-MM-DD. A month means its first day at the start of the range and its last day at the end. */
export function daysOf({ from, to }: Pick<RadarOptions, 'from' | 'to'>, now: Date): string[] {
  if (from === undefined) throw failure(exits.usage, 'Name the first day or month to read: --from 2020-10.')
  const newest = Math.floor((now.getTime() - LATEST_END_MS) / DAY_MS) * DAY_MS
  const [first, last] = [firstDay(from), Math.min(to === undefined ? newest : lastDay(to), newest)]
  if (first > last) throw failure(exits.usage, 'The first day must not be after the last, nor later than yesterday.')
  return Array.from({ length: (last - first) / DAY_MS + 1 }, (_, nth) => new Date(first + nth * DAY_MS).toISOString().slice(0, 10))
}

const firstDay = (text: string) => Date.parse(text.length === 7 ? `${text}-01T00:00:00Z` : `${text}T00:00:00Z`)
const lastDay = (text: string) => (text.length === 7 ? Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5)), 0) : firstDay(text))

/** Checks the form of a month or a day. */
export function dayOrMonth(text: string): string {
  const day = text.length === 7 ? `${text}-01` : text
  const at = new Date(`${day}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day))
    throw new InvalidArgumentError('It must be a month or a day, such as 2020-10 or 2020-10-14.')
  return text
}
