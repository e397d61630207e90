import { mkdtemp, readdir, rm, symlink, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSourceFiles, type SourceFiles } from '#domain/engines/source-files.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'weather-source-files-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

it('the drafts of killed processes are removed, even if another draft is finished meanwhile', async () => {
  const files = openSourceFiles({ archive_files: home, home }) as SourceFiles
  const arriving = path.join(home, 'arriving')
  const drafts = [await files.draft(), await files.draft(), await files.draft()]
  const [young, ...old] = await readdir(arriving)
  for (const name of old) await utimes(path.join(arriving, name), new Date(0), new Date(0))
  // Like a draft that is renamed after the folder was listed: it has a name, but no file.
  for (const name of ['0', 'g']) await symlink('nowhere', path.join(arriving, name))
  await files.clearDrafts(new Date(Date.now() - 60_000))
  expect((await readdir(arriving)).sort()).toEqual(['0', young, 'g'])
  for (const draft of drafts) await draft.drop()
})
