import { expect, it } from 'vitest'
import { boundedCache } from '#domain/kernel/bounded-cache.ts'

it('keeps the values used last, makes each once for concurrent requests, and keeps no failure', async () => {
  const cached = boundedCache<string>(2)
  const made: string[] = []
  const read = (key: string) =>
    cached(key, async () => {
      made.push(key)
      if (key === 'broken') throw new Error('broken')
      return key.toUpperCase()
    })
  expect(await Promise.all([read('a'), read('a'), read('b')])).toEqual(['A', 'A', 'B'])
  await read('a')
  await read('c')
  await read('a')
  expect(made).toEqual(['a', 'b', 'c'])
  await read('b')
  expect(made).toEqual(['a', 'b', 'c', 'b'])
  await expect(read('broken')).rejects.toThrow('broken')
  await expect(read('broken')).rejects.toThrow('broken')
  expect(made).toEqual(['a', 'b', 'c', 'b', 'broken', 'broken'])
})
