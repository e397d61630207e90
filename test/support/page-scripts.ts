import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

const FOLDER = path.resolve('dist/console')

const read = (file: string) => readFileSync(file, 'utf8')
const named = (file: string, pattern: RegExp) =>
  [...read(file).matchAll(pattern)].map(([, name = '']) => path.join(path.dirname(file), name)).filter((one) => one.startsWith(FOLDER))

/** Returns a script and everything that it imports before it runs. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const one of named(file, /(?:\bfrom|\bimport)\s*["'](\.[^"']+\.js)["']/g)) withImports(one, found)
  return found
}

const bytesOf = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + gzipSync(read(file)).length, 0)

/**
 * Returns, for each page of the console that is bundled in dist, the gzipped bytes of script that a browser loads
 * before the page is shown. Map drawing is not included: it loads after that.
 */
export function pageScripts(): { page: string; bytes: number }[] {
  const frame = withImports(path.join(FOLDER, 'main.js'))
  const pages = new Set([...frame].flatMap((file) => named(file, /\bimport\(\s*["'](\.[^"']+\.js)["']\s*\)/g)))
  return [...pages].map((page) => ({ page: path.basename(page), bytes: bytesOf(new Set([...frame, ...withImports(page)])) }))
}
