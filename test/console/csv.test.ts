import { expect, test } from 'vitest'
import { csvOf } from '../../console/parts/csv.ts'

test('a cell that a spreadsheet would run is escaped as text', () => {
  expect(
    csvOf(
      ['a', 'b'],
      [
        ['=1+1', '@SUM(A1)'],
        ['+1', -5],
        ['a "b", c', null],
      ],
    ),
  ).toBe(`a,b\r\n'=1+1,'@SUM(A1)\r\n'+1,-5\r\n"a ""b"", c",\r\n`)
})
