import { beforeAll, expect, it } from 'vitest'
import { sizeText } from '../../cli/commands/save-answer.ts'
import { openTerminal, type Terminal } from './terminal.ts'

let weather: Terminal
beforeAll(async () => {
  weather = await openTerminal({})
})

it('a file name given as the format is refused with the option that takes one', async () => {
  const document = await weather('reports', 'pdf', 'ID', '--output', 'report.pdf')
  expect([document.status, document.stderr]).toEqual([
    2,
    expect.stringContaining('Allowed choices are table, json, ndjson, csv. Use --out to name a file.'),
  ])
  expect((await weather('reports', 'list', '--output', 'reports.csv')).stderr).toMatch(/Allowed choices are table, json, ndjson, csv\.$/m)
})

it('the size of a small file is shown in bytes', () => {
  expect([sizeText(0), sizeText(9_812), sizeText(100_000)]).toEqual(['0 bytes', '9812 bytes', '0.1 MB'])
})
