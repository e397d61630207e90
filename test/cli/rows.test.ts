import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { rowsFrom } from '../../cli/rows.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'weather-rows-'))
afterAll(() => rmSync(folder, { recursive: true }))

function rowsOf(text: string) {
  const file = path.join(folder, 'book.csv')
  writeFileSync(file, text)
  return rowsFrom(file, ['address', 'label', 'tags'])
}

test('leaves out the empty rows that a spreadsheet writes below the last one', async () => {
  expect(await rowsOf('address,label\r\n1 Main St,HQ\r\n,\r\n\r\n , \r\n')).toEqual([{ address: '1 Main St', label: 'HQ' }])
})

test('refuses a file with two columns of one name, of which only one could be sent', async () => {
  await expect(rowsOf('address,label,address\n1 Main St,HQ,2 Main St\n')).rejects.toThrow('has more than one column address.')
  await expect(rowsOf('address,,\n1 Main St,,\n')).rejects.toThrow('has more than one column without a name.')
})

test('reads tags that are separated by semicolons, or a JSON list as exports write it', async () => {
  const tagsOf = async (cell: string) => (await rowsOf(`address,tags\n1 Main St,"${cell.replaceAll('"', '""')}"\n`))[0]?.tags
  expect(await tagsOf(' flat roof; ;2019;')).toEqual(['flat roof', '2019'])
  expect(await tagsOf('["flat; tarred","2019"]')).toEqual(['flat; tarred', '2019'])
  for (const cell of ['[north', '[2019]', '"2019"', '2019']) expect(await tagsOf(cell)).toEqual([cell])
})
