import { expect, test } from 'vitest'
import { amount, date, page, positiveInteger, text } from '../../console/search-params.ts'

test('a text that is written like a number is a text', () => {
  expect(['Moore', 75034, '75034', true].map(text)).toEqual(['Moore', '75034', '75034', 'true'])
  expect(['', null, [], {}, undefined].map(text)).toEqual(Array(5).fill(undefined))
})

test('an amount is a number that is not negative, and nothing that only converts to one', () => {
  expect([0, '0.75', 1.5].map(amount)).toEqual(['0', '0.75', '1.5'])
  expect([null, true, [], '', ' ', -1, 'much', Number.POSITIVE_INFINITY].map(amount)).toEqual(Array(8).fill(undefined))
})

test('a page is an integer from 2, and the first needs no number', () => {
  expect([2, '3', 1, 0, 1.5, [2], true, 2 ** 31].map(page)).toEqual([2, 3, ...Array(6).fill(undefined)])
  expect([1, '7', null, true, [7]].map(positiveInteger)).toEqual([1, 7, undefined, undefined, undefined])
})

test('a date is one of the calendar', () => {
  expect(['2025-05-28', '2025-02-30', 20250528, null].map(date)).toEqual(['2025-05-28', undefined, undefined, undefined])
})
