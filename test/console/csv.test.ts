import { expect, test } from 'vitest'
import { csvOf } from '../../console/parts/csv.ts'

test('a cell that a spreadsheet would run is escaped as text', () => {
  expect(
    csvOf(
      ['a', 'b'],
      [
        ['=1+1', '@SUM(A1)'],
        ['+1', -5],
        [' =1+1', '\u200b\uff1d1+1'],
        ['a "b", c', 'x;=1+1'],
      ],
    ),
  ).toBe(`a,b\r\n'=1+1,'@SUM(A1)\r\n'+1,-5\r\n' =1+1,'\u200b\uff1d1+1\r\n"a ""b"", c","x;=1+1"\r\n`)
})
