import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as keys from './keys.ts'

/** The service's response to one request of each endpoint, by the endpoint's name and the status; `npm run examples:print` writes it. */
const { operations } = JSON.parse(readFileSync('rest/examples.json', 'utf8')) as {
  operations: Record<string, { answers: Record<string, unknown> }>
}
/** What the contract's own file does not describe: the description of the API, which judges of its own check. */
const ELSEWHERE = ['openapi']

const isShape = (value: unknown): value is keys.Shape => typeof value === 'object' && value !== null
const things = [...Object.values(keys).filter(isShape), keys.reportBatch(keys.anyRow)]
const shapes = things.flatMap((shape) => [shape, keys.data(shape), keys.page(shape), { object: keys.is('list'), data: keys.listOf(shape) }])

const answers = Object.entries(operations)
  .filter(([name]) => !ELSEWHERE.includes(name))
  .flatMap(([name, { answers }]) => Object.entries(answers).map(([status, answer]) => [`${name} ${status}`, answer] as const))

describe('the keys of the contract', () => {
  it.each(answers)('include a shape that fits an endpoint’s response: %s', (_name, answer) => {
    expect(shapes.some((shape) => keys.differences(shape, answer).length === 0)).toBe(true)
  })

  it('do not fit a response with one key more or one key fewer', () => {
    const fitting = (answer: object) => shapes.filter((shape) => keys.differences(shape, answer).length === 0)
    for (const [, answer] of answers) {
      if (typeof answer !== 'object' || answer === null) continue
      expect(fitting({ ...answer, unheard_of: 1 })).toEqual([])
      const [first = ''] = Object.keys(answer)
      expect(fitting(Object.fromEntries(Object.entries(answer).filter(([key]) => key !== first)))).toEqual([])
    }
  })
})
