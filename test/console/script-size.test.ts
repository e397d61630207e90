import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { prepare } from '../../scripts/prepare.mjs'

/** Of script, gzipped, that a browser loads before a page of the console is there; what draws maps is not of it. */
const BYTES_MAX = 190_000
const FOLDER = path.resolve('dist/console')

beforeAll(() => prepare({ bundled: ['console'], tools: true }), 120_000)

const read = (file: string) => readFileSync(file, 'utf8')
const named = (file: string, pattern: RegExp) =>
  [...read(file).matchAll(pattern)].map(([, name = '']) => path.join(path.dirname(file), name)).filter((one) => one.startsWith(FOLDER))

/** A script and all that it imports before it runs. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const one of named(file, /(?:\bfrom|\bimport)\s*["'](\.[^"']+\.js)["']/g)) withImports(one, found)
  return found
}

const bytesOf = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + gzipSync(read(file)).length, 0)

test('no page of the console has a browser load more script than it may', () => {
  const frame = withImports(path.join(FOLDER, 'main.js'))
  const pages = new Set([...frame].flatMap((file) => named(file, /\bimport\(\s*["'](\.[^"']+\.js)["']\s*\)/g)))
  expect(pages.size).toBeGreaterThan(20)
  const heavy = [...pages]
    .map((page) => [path.basename(page), bytesOf(new Set([...frame, ...withImports(page)]))] as const)
    .filter(([, bytes]) => bytes > BYTES_MAX)
  expect(heavy).toEqual([])
})
