import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { areas } from './areas.ts'
import { oneLine, readSurvivors, reasons } from './survivors.ts'

it.each(Object.entries(areas))('%s: every module and every test exists where its area names it', (_, { modules, tests }) => {
  expect([...modules, ...tests].filter((file) => !existsSync(file))).toEqual([])
})

// A run replaces the rows of its areas only with --write, so a row outlives the line that it was about.
it('every listed survivor is on a line that is in a module of an area, and has a reason', async () => {
  const lines = new Map<string, Set<string>>()
  for (const { modules } of Object.values(areas))
    for (const file of modules) lines.set(file, new Set((await readFile(file, 'utf8')).split('\n').map(oneLine)))
  const known = new Set<string>(reasons)
  const listed = [...(await readSurvivors()).values()]
  expect(listed.length).toBeGreaterThan(100)
  expect(listed.filter(({ file, line, reason }) => !lines.get(file)?.has(line) || !known.has(reason))).toEqual([])
})
