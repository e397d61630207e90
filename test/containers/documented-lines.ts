import { readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Returns the lines of the nth block under a heading in docs/production.md of a clone, unchanged.
 * @throws Error if there is none: a test must not pass because the text has changed
 */
export function documentedLines(folder: string, heading: string, nth: number): string {
  const [, section] = readFileSync(path.join(folder, 'docs/production.md'), 'utf8').split(`\n## ${heading}\n`)
  const blocks = [...(section?.split(/\n##+ /)[0] ?? '').matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, lines]) => lines as string)
  const block = blocks[nth]
  if (!block) throw new Error(`docs/production.md has no block ${nth + 1} under "${heading}"`)
  return block
}
