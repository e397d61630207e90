import { readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The lines that docs/production.md of a clone has in its nth block under a heading, as they stand.
 * @throws Error where there is none: a test must not pass because the text has changed
 */
export function documentedLines(folder: string, heading: string, nth: number): string {
  const [, section] = readFileSync(path.join(folder, 'docs/production.md'), 'utf8').split(`\n## ${heading}\n`)
  const blocks = [...(section?.split(/\n##+ /)[0] ?? '').matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, lines]) => lines as string)
  const block = blocks[nth]
  if (!block) throw new Error(`docs/production.md has no block ${nth + 1} under "${heading}"`)
  return block
}
