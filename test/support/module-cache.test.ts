import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { boundModuleCache } from '#test/support/module-cache.ts'

it('the cache of modules is emptied only if it is too large, and keeps what Vitest knows of the packages', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cache-'))
  for (const name of ['0a', '0b', '_metadata.json']) writeFileSync(path.join(folder, name), '12345')
  boundModuleCache(folder, 10)
  expect(readdirSync(folder)).toEqual(['0a', '0b', '_metadata.json'])
  boundModuleCache(folder, 9)
  expect(readdirSync(folder)).toEqual(['_metadata.json'])
})
