import { expect, test } from 'vitest'
import { printableExcerpt } from '#domain/kernel/form.ts'
import { isPrintable } from '#domain/kernel/printable.ts'
import { LOG_NAME } from '#domain/kernel/setting-types.ts'

/** Each reverses, hides or breaks the text after it. */
const misleading = ['\u202e', '\u2066', '\u200f', '\u2028', '\u0007', '\ud800']

test('a sentence quotes what was sent without characters that mislead its reader', () => {
  for (const character of misleading) {
    expect([character, isPrintable(`a${character}b`), printableExcerpt(`a${character}b`)]).toEqual([character, false, 'ab'])
    expect(printableExcerpt(character)).toBe('that')
  }
  expect(printableExcerpt('שלום 🙂')).toBe('שלום 🙂')
  expect(printableExcerpt('🙂'.repeat(50))).toBe('🙂'.repeat(40))
})

test('the name of a log, which is public for ever, has none of them', () => {
  for (const character of misleading) expect([character, LOG_NAME.test(`log${character}example`)]).toEqual([character, false])
  expect(LOG_NAME.test('weather.example.com/log')).toBe(true)
})
