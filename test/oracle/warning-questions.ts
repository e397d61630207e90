import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { seededRandom } from '../bench/random.ts'
import { textsFolder } from './files.ts'
import { type Spot, stateHolding } from './geography.ts'
import { inForce, isAtEdge, type Notice, noticesOf } from './warned.ts'

/** A place and the moments at which the warnings in force are compared. */
export interface WarningQuestion {
  place: Spot
  /** Unix seconds. */
  moments: number[]
}

/** In the first polygon of KOAX.TO.W.0038 of 2024 and not in its last: the centre of ZIP 51548. */
const MC_CLELLAND: Spot = [-95.6813, 41.2932]
const HOUR = 3600

/** Texts from before 2005 have no event code, and are refused. */
export const warningTexts = (): string[] =>
  readdirSync(textsFolder)
    .sort()
    .map((name) => path.join(textsFolder, name))
    .filter((file) => EVENT_CODE.test(readFileSync(file, 'latin1')))

const EVENT_CODE = /\/[OTEX]\.[A-Z]{3}\.[A-Z]{4}\.[A-Z]{2}\.[A-Z]\.\d{4}\./

export const readNotices = (): Notice[] => warningTexts().flatMap((file) => noticesOf(readFileSync(file, 'latin1')))

/** Places in and around every polygon, and moments before, at, between and after all messages there. */
export function askWarnings(notices: readonly Notice[], each: number, seed: number): WarningQuestion[] {
  const random = seededRandom(seed)
  const places = [MC_CLELLAND, ...notices.flatMap((notice) => Array.from({ length: each }, () => near(notice, random.between)))]
  return places
    .filter((place) => stateHolding(place) !== null && !notices.some((notice) => isAtEdge(notice, place)))
    .map((place) => ({ place, moments: momentsAround(notices, random.between) }))
}

function near({ corners }: Notice, between: (low: number, high: number) => number): Spot {
  const [longitudes, latitudes] = [corners.map(([x]) => x / 100), corners.map(([, y]) => y / 100)]
  const within = (values: number[]) => {
    const [low, high] = [Math.min(...values), Math.max(...values)]
    return Number(between(low - 0.2 * (high - low), high + 0.2 * (high - low)).toFixed(5))
  }
  return [within(longitudes), within(latitudes)]
}

/** The moments of all messages, the second before each, and as many random ones around them. */
function momentsAround(notices: readonly Notice[], between: (low: number, high: number) => number): number[] {
  const moments = [...new Set(notices.flatMap(({ sent, begins, ends }) => [sent, ends, begins ?? sent]))]
  return moments.flatMap((at) => [at, at - 1, Math.round(between(at - HOUR, at + HOUR))])
}

/** What the questions are expected to find, as proof that they test something. */
export function countAnswers(questions: readonly WarningQuestion[], notices: readonly Notice[]): number {
  return questions.reduce((sum, { place, moments }) => sum + moments.filter((at) => inForce(notices, place, at).length > 0).length, 0)
}
