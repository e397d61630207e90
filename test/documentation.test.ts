import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'

/** Anchors as GitHub derives them from headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replace(/[^a-z0-9 _-]/g, '')
      .replaceAll(' ', '-'),
  )

it('names only files and headings that exist', async () => {
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

it('names every npm script, and only existing ones', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
  const pages = ['README.md', 'ARCHITECTURE.md', 'SECURITY.md', ...(await readdir('docs')).map((name) => `docs/${name}`)]
  const text = (await Promise.all(pages.map((page) => readFile(page, 'utf8')))).join('\n')
  // npm start and npm test need no run.
  const named = new Set([...text.matchAll(/npm (?:run (?:-s )?)?([a-z][\w:]*)/g)].map(([, name]) => name))
  expect(Object.keys(scripts).filter((name) => !named.has(name))).toEqual([])
  const run = [...text.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name]) => name as string)
  expect(run.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  const benches = [...text.matchAll(/npm run bench -- ([a-z][a-z -]*?)(?= --|`)/g)].flatMap(([, names]) => (names as string).split(' '))
  expect(benches.length).toBeGreaterThan(2)
  expect(benches.filter((name) => !existsSync(`test/bench/${name}.bench.ts`))).toEqual([])
})

it('has every page of docs in the table of the README', async () => {
  const readme = await readFile('README.md', 'utf8')
  expect((await readdir('docs')).filter((name) => !readme.includes(`](docs/${name})`))).toEqual([])
})
