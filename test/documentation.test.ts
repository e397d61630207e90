import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'

/** As GitHub makes them of headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replace(/[^a-z0-9 _-]/g, '')
      .replaceAll(' ', '-'),
  )

it('names no file and no heading that is not there', async () => {
  const pages = ['README.md', 'ARCHITECTURE.md', 'SECURITY.md', 'CHANGELOG.md', ...(await readdir('docs')).map((name) => `docs/${name}`)]
  const missing: string[] = []
  let links = 0
  for (const page of pages) {
    const text = await readFile(page, 'utf8')
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [file, anchor] = (target as string).split('#') as [string, string?]
      const named = file === '' ? page : path.join(path.dirname(page), file)
      links++
      if (!existsSync(named)) missing.push(`${page}: ${target}`)
      else if (anchor !== undefined && !anchorsOf(await readFile(named, 'utf8')).includes(anchor)) missing.push(`${page}: ${target}`)
    }
  }
  expect(missing).toEqual([])
  expect(links).toBeGreaterThan(20)
})

it('has every page of docs in the table of the README', async () => {
  const readme = await readFile('README.md', 'utf8')
  expect((await readdir('docs')).filter((name) => !readme.includes(`](docs/${name})`))).toEqual([])
})
