import { coverageCellAt, coveredCells, middleOf } from '#domain/archive/radar/frame-coverage.ts'
import { countyAt, countyCentres } from '#domain/geo/counties.ts'

/** 0.25-degree cells: a picture of so few may show part of a state and no county's centre, and is looked at cell by cell. */
const FEW_CELLS = 400

/** Two-letter codes of the states of which a frame's radar saw any part, by where it says that it saw. */
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

/** The cells in which counties have their centres; counties outside the grid are left out. */
function countyCells(): { state: string; cell: number }[] {
  known ??= countyCentres().flatMap(({ state, latitude, longitude }) => {
    const cell = coverageCellAt(latitude, longitude)
    return cell === null ? [] : [{ state, cell }]
  })
  return known
}
