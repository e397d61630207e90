import { describe, expect, it } from 'vitest'
import { sharedReads } from '#domain/engines/shared-reads.ts'

/** Shared reads whose statements wait until the test answers them. */
function watched() {
  const statements: { keys: [string, number][]; answer(rows: Record<string, string>): void; fail(fault: Error): void }[] = []
  const read = sharedReads<null, string>(
    (_, wanted) =>
      new Promise((resolve, reject) => {
        statements.push({ keys: [...wanted], answer: (rows) => resolve(new Map(Object.entries(rows))), fail: reject })
      }),
  )
  return { statements, read: (key: string) => read(null, key) }
}

const turn = () => new Promise((done) => setImmediate(() => setImmediate(done)))

describe('concurrent reads', () => {
  it('share one statement; each gets its own row and the number of earlier requests for it', async () => {
    const { statements, read } = watched()
    const all = Promise.all(['a', 'b', 'a', 'c'].map(read))
    await turn()
    expect(statements.map(({ keys }) => keys)).toEqual([
      [
        ['a', 2],
        ['b', 1],
        ['c', 1],
      ],
    ])
    statements[0]?.answer({ a: 'row a', b: 'row b' })
    expect(await all).toEqual([
      { row: 'row a', place: 0 },
      { row: 'row b', place: 0 },
      { row: 'row a', place: 1 },
      { row: undefined, place: 0 },
    ])
  })

  it('wait while two statements are running, and then share the next', async () => {
    const { statements, read } = watched()
    const answers: Promise<unknown>[] = []
    for (const key of ['a', 'b', 'c', 'd']) {
      answers.push(read(key))
      await turn()
    }
    expect(statements.map(({ keys }) => keys)).toEqual([[['a', 1]], [['b', 1]]])
    statements[1]?.answer({})
    await turn()
    expect(statements[2]?.keys).toEqual([
      ['c', 1],
      ['d', 1],
    ])
    statements[0]?.answer({ a: 'late' })
    statements[2]?.answer({ d: 'row d' })
    expect(await Promise.all(answers)).toMatchObject([{ row: 'late' }, { row: undefined }, { row: undefined }, { row: 'row d' }])
  })

  it('never receive a row that was read before they started', async () => {
    const { statements, read } = watched()
    const first = read('a')
    await turn()
    const second = read('a')
    await turn()
    statements[0]?.answer({ a: 'old' })
    statements[1]?.answer({ a: 'new' })
    expect(await Promise.all([first, second])).toEqual([
      { row: 'old', place: 0 },
      { row: 'new', place: 0 },
    ])
  })

  it('fail together, and later reads run again', async () => {
    const { statements, read } = watched()
    const both = Promise.allSettled([read('a'), read('b')])
    await turn()
    statements[0]?.fail(new Error('the server is gone'))
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const next = read('a')
    await turn()
    statements[1]?.answer({ a: 'back' })
    expect(await next).toEqual({ row: 'back', place: 0 })
  })
})
