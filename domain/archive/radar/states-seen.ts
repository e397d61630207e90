import { coverageCellAt, coveredCells, middleOf } from '#domain/archive/radar/frame-coverage.ts'
import { countyAt, countyCentres } from '#domain/geo/counties.ts'

/** 0.25-degree cells: coverage this small may show part of a state but no county's centre, so it is examined cell by cell. */
const FEW_CELLS = 400

/** Returns the two-letter codes of the states of which a frame's radar covered any part. */
export function statesSeen(coverage: Buffer): string[] {
  const covered = coveredCells(coverage)
  const cells = new Set(covered)
  const states = new Set(countyCells().flatMap(({ state, cell }) => (cells.has(cell) ? [state] : [])))
  for (const cell of covered.length <= FEW_CELLS ? covered : []) {
    const { latitude, longitude } = middleOf(cell)
    const county = countyAt(latitude, longitude)
    if (county) states.add(county.state)
  }
  return [...states].sort()
}

let known: { state: string; cell: number }[] | undefined

/** Returns the cells that contain the centres of counties; counties outside the grid are left out. */
function countyCells(): { state: string; cell: number }[] {
  known ??= countyCentres().flatMap(({ state, latitude, longitude }) => {
    const cell = coverageCellAt(latitude, longitude)
    return cell === null ? [] : [{ state, cell }]
  })
  return known
}
