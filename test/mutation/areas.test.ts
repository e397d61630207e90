import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { areas } from './areas.ts'

it.each(Object.entries(areas))('%s: every module and every test exists where its area names it', (_, { modules, tests }) => {
  expect([...modules, ...tests].filter((file) => !existsSync(file))).toEqual([])
})
