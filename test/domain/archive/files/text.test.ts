import { expect, it } from 'vitest'
import { cleanText } from '#domain/archive/files/text.ts'

it.each([
  ['plain ASCII, as nearly every text', 'Hail fell.  It melted.', 'Hail fell.  It melted.'],
  ['line ends', 'one\r\ntwo\rthree', 'one\ntwo\nthree'],
  ['spaces at the end of lines and of the text', 'one \t\ntwo\u00a0\n\n', 'one\ntwo'],
  ['composed letters', 'Can\u0303on City', 'Ca\u00f1on City'],
  ['lone surrogates, whole pairs kept', 'a\ud800b\udc00c\ud83c\udf2a', 'abc\ud83c\udf2a'],
  ['control characters, which no column takes', 'a\u0000b\u0007c\td', 'abc\td'],
])('cleans %s', (_what, text, expected) => {
  expect(cleanText(text)).toBe(expected)
})

it('takes no longer for space within a line than for other text', () => {
  const text = `a${' '.repeat(50_000)}b`
  const began = performance.now()
  expect(cleanText(`${text} \u0007`)).toBe(text)
  expect(performance.now() - began).toBeLessThan(1000)
})
