import { afterEach, expect, it, vi } from 'vitest'
import type { Settings } from '../../cli/commands/command.ts'
import { printUncheckedYears } from '../../cli/commands/unchecked-years.ts'
import { printUnplaced } from '../../cli/commands/unplaced-zones.ts'

afterEach(() => void vi.restoreAllMocks())

it('the commands that are suggested to operators reach the service that was asked', () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  for (const profile of ['north 1', undefined]) {
    const setting = { profile } as Settings
    printUnplaced([{ state: 'TX', records: 2, table_held: false }], setting)
    printUncheckedYears([{ slug: 'storm-events', year: 2019, records: 2 }], setting)
  }
  expect(written.mock.calls.map(([line]) => String(line).match(/with: (.*?)\.?\n/)?.[1])).toEqual([
    "weather archive sync zones --profile 'north 1'",
    "weather archive sync storm-events --year YEAR --profile 'north 1'",
    'weather archive sync zones',
    'weather archive sync storm-events --year YEAR',
  ])
})
