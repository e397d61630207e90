import { expect, it } from 'vitest'
import { concurrencyLimit, fairConcurrencyLimit } from '#domain/kernel/concurrency-limit.ts'

/** Work that ends when the test says so. */
function work() {
  let end = () => {}
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  let started = false
  const run = () => {
    started = true
    return promise
  }
  return { run, end, hasStarted: () => started }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('refuses what would wait behind too much, and takes it again later', async () => {
  const limited = concurrencyLimit(1, 1)
  const [first, second] = [work(), work()]
  const accepted = [limited('a', first.run), limited('a', second.run)]
  await expect(limited('a', async () => {})).rejects.toMatchObject({ code: 'rate_limited', details: { retry_after: 5 } })
  await expect(limited('b', async () => 'done')).resolves.toBe('done')
  first.end()
  second.end()
  await Promise.all(accepted)
  await expect(limited('a', async () => 'done')).resolves.toBe('done')
})

it('gives each key its turn, whatever waits for the others', async () => {
  const limited = fairConcurrencyLimit({ max: 2, waiting_max: 10 })
  const flood = Array.from({ length: 5 }, work)
  const [other, third] = [work(), work()]
  const all = [...flood.map(({ run }) => limited('flood', run)), limited('other', other.run), limited('third', third.run)]
  await turn()
  expect([...flood, other, third].map((one) => one.hasStarted())).toEqual([true, false, false, false, false, true, false])
  flood[0]?.end()
  await turn()
  expect([flood[1]?.hasStarted(), third.hasStarted()]).toEqual([false, true])
  for (const one of [...flood, other, third]) one.end()
  await Promise.all(all)
})
