import { expect, it } from 'vitest'
import { cleanText, decodeText, withoutZeroEscapes } from '#domain/archive/files/text.ts'
import { processorMs } from '#test/support/processor.ts'

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

it.each([
  ['ASCII', 'Hail fell.', 'Hail fell.'],
  ['UTF-8', '40\u00c2\u00b0 C', '40\u00b0 C'],
  ['UTF-8 with a byte order mark', '\u00ef\u00bb\u00bf40\u00c2\u00b0', '40\u00b0'],
  ['the replacement characters that the agency itself has put there', '0.75\u00ef\u00bf\u00bd', '0.75\ufffd'],
  ['windows-1252', '40\u00b0 \u0096 \u0093big\u0094 \u0080\u0081\u009f', '40\u00b0 \u2013 \u201cbig\u201d \u20ac\u0081\u0178'],
  ['text without its zero characters, which no column takes', 'Sa\u0000n \u00c2\u00b0', 'San \u00b0'],
])('decodes %s', (_what, bytes, expected) => {
  expect(decodeText(Buffer.from(bytes, 'latin1'))).toBe(expected)
})

it('drops escaped zero characters from JSON, and leaves an escaped backslash before the same letters', () => {
  expect(JSON.parse(withoutZeroEscapes(String.raw`["a\u0000b", "\\u0000", "\\\u0000\n"]`))).toEqual(['ab', String.raw`\u0000`, '\\\n'])
})

it('reads white space within a line as fast as other text', async () => {
  const text = `a${' '.repeat(50_000)}b`
  expect(await processorMs(() => expect(cleanText(`${text} \u0007`)).toBe(text))).toBeLessThan(1000)
})
