import fs from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startPostgres } from '../../scripts/postgres.mjs'
import { readSecrets } from '../../scripts/secrets.mjs'

/** What was synced and renamed, in order. */
let steps: string[]
let home: string

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'weather-durable-'))
  steps = []
  const { openSync, fsyncSync, renameSync } = fs
  const names = new Map<number, string>()
  const note = (step: string, file: unknown) => steps.push(`${step} ${path.relative(home, String(file)) || '.'}`)
  vi.spyOn(fs, 'openSync').mockImplementation((...words) => {
    const opened = openSync(...words)
    names.set(opened, String(words[0]))
    return opened
  })
  vi.spyOn(fs, 'fsyncSync').mockImplementation((opened) => {
    note('sync', names.get(opened))
    fsyncSync(opened)
  })
  vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    note('rename', to)
    renameSync(from, to)
  })
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

it('the keys of an install are on the disk, and so is their name, before they are used', () => {
  readSecrets(home)
  expect(steps).toEqual(['sync secrets.json.draft', 'rename secrets.json', 'sync .'])
})

it('the password of the packaged PostgreSQL and its data folder are on the disk before it is used', async () => {
  const server = await startPostgres(home, { durable: true })
  await server.stop()
  expect(JSON.parse(await readFile(path.join(home, 'postgres', 'server.json'), 'utf8')).password).toMatch(/^[0-9a-f]{48}$/)
  expect(steps).toEqual([
    ...['sync postgres/server.json.draft', 'rename postgres/server.json', 'sync postgres'],
    ...[expect.stringMatching(/^rename .*data$/), expect.stringMatching(/^sync /)],
  ])
})
