import { readlinkSync } from 'node:fs'
import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openFolder } from '#domain/engines/folder.ts'

const KEY = 'reports/01987654-0000-7000-8000-000000000001/ab12.pdf'

let home: string
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'weather-folder-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(home, { recursive: true, force: true })
})

/** Spies on all file handles. Returns what is synced from then on: a path relative to the test's folder, or `fault` instead of a folder's sync. */
async function syncedFrom(fault?: string): Promise<string[]> {
  const handle = await open(home)
  const prototype = Object.getPrototypeOf(handle)
  const { sync } = prototype
  await handle.close()
  const synced: string[] = []
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: { fd: number }) {
    const file = path.relative(home, readlinkSync(`/proc/self/fd/${this.fd}`))
    synced.push(file)
    if (fault && !file.includes('.pdf')) throw Object.assign(new Error(fault), { code: fault })
    return sync.call(this)
  })
  return synced
}

it('a file and its name are on the disk before it is reported as stored, new folders included', async () => {
  const blobs = openFolder(path.join(home, 'blobs'))
  const synced = await syncedFrom()
  await blobs.put(KEY, Buffer.from('%PDF'))
  const folder = path.dirname(KEY)
  expect(synced.splice(0)).toEqual([
    '',
    'blobs',
    'blobs/reports',
    expect.stringMatching(/^blobs\/reports\/.*\/ab12\.pdf\.[0-9a-f-]+$/),
    `blobs/${folder}`,
  ])
  await blobs.put(`${folder}/cd34.pdf`, Buffer.from('%PDF'))
  expect(synced).toEqual([expect.stringContaining('cd34.pdf.'), `blobs/${folder}`])
})

it('a file system that cannot sync folders still stores files', async () => {
  await syncedFrom('EINVAL')
  const blobs = openFolder(path.join(home, 'blobs'))
  await blobs.put(KEY, Buffer.from('%PDF'))
  expect(await blobs.get(KEY)).toEqual(Buffer.from('%PDF'))
  expect(await readdir(path.join(home, 'blobs', path.dirname(KEY)))).toEqual(['ab12.pdf'])
})

it('a folder that the disk cannot write is reported', async () => {
  await syncedFrom('EIO')
  await expect(openFolder(path.join(home, 'blobs')).put(KEY, Buffer.from('%PDF'))).rejects.toThrow('EIO')
})
