import { expect, it } from 'vitest'
import { linesOf } from '#domain/archive/files/lines.ts'

it('leaves out empty lines, and keeps the number and the bytes of the others', async () => {
  const bytes = Buffer.from('one\r\n\n\r\ntwo\n\n\nthree')
  for (const piece of [1, 4, 100]) {
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
    }
    const lines = []
    for await (const read of linesOf(pieces())) lines.push(...read)
    expect(lines).toEqual([
      { number: 1, span: { start: 0, length: 3 }, text: 'one' },
      { number: 4, span: { start: 8, length: 3 }, text: 'two' },
      { number: 7, span: { start: 14, length: 5 }, text: 'three' },
    ])
  }
})
