import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { KEY_HOURS, KEY_LENGTH_MAX } from '#domain/access/idempotency.ts'
import { SESSION_PER_MINUTE } from '#domain/access/rate-limit.ts'
import { TOKENS_MAX } from '#domain/access/team-tokens.ts'
import { STOP_LINK_DAYS } from '#domain/alerts/stop-link.ts'
import { LINK_MINUTES } from '#domain/engines/signed-link.ts'
import { FILTER_MAX } from '#domain/exports/archive/cql2.ts'
import { LIMIT, LIMIT_MAX } from '#domain/exports/archive/feature-query.ts'
import { ATTEMPTS_MAX, JITTER, RETRY_DELAYS_SECONDS } from '#domain/integrations/schedule.ts'
import { PER_PAGE, PER_PAGE_MAX } from '#domain/kernel/pagination.ts'
import { SIDE_MAX } from '#domain/maps/playback.ts'
import { WIDTHS_ZOOM_MIN } from '#domain/maps/tornado-widths.ts'
import { APART_MILES } from '#domain/places/conflict.ts'
import { ceilings, type Feature, features, type Plan, tiers, trial } from '#domain/plans/plans.ts'
import { CONTACTS_MAX } from '#domain/properties/check-contact.ts'
import { RIVALS_MAX } from '#domain/reports/day-of-loss/days.ts'
import { PRINTED_MAX } from '#domain/reports/document/numbered-records.ts'
import { ORDER_MAX } from '#domain/reports/order.ts'
import { PREVIEWS_PER_DAY, PREVIEWS_PER_MINUTE } from '#domain/reports/preview-limit.ts'
import { ALIASES_MAX, DEPTH_MAX, TOKENS_MAX as DOCUMENT_TOKENS_MAX } from '#graphql/guard.ts'
import { documentedLines } from '#test/containers/documented-lines.ts'
import { exits } from '../cli/failure.ts'

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

it('upgrades the database of the old version, from a folder that has no settings yet', async () => {
  const parent = await mkdtemp(path.join(tmpdir(), 'weather-upgrade-'))
  const [old, fresh] = [path.join(parent, 'OLD'), path.join(parent, 'NEW')]
  await Promise.all([mkdir(old), mkdir(fresh)])
  await writeFile(path.join(old, 'weather.env'), 'DATABASE_URL=of-the-service\n')
  await writeFile(path.join(old, 'owner.env'), 'DATABASE_MIGRATE_URL=of-the-owner\n')
  await writeFile(path.join(fresh, 'npm'), '#!/bin/sh\necho "$DATABASE_URL $DATABASE_MIGRATE_URL $*"\n', { mode: 0o755 })
  const run = (block: number) =>
    execFileSync('bash', ['-c', documentedLines('.', 'Upgrading', block)], {
      cwd: fresh,
      env: { PATH: `${fresh}:${process.env.PATH}` },
      encoding: 'utf8',
    })
  expect(run(0)).toBe('of-the-service of-the-owner start -- --roles=none\n')
  expect(run(1)).toBe('of-the-service of-the-owner start -- --force-rows --roles=none\n')
  await rm(parent, { recursive: true })
})

it('has commands whose files in the clone git ignores', async () => {
  const page = await readFile('docs/production.md', 'utf8')
  const blocks = [...page.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, lines]) => lines).join('')
  const written = [...blocks.matchAll(/(?: > |-f )([a-z][\w./-]+)/g)].map(([, name]) => name as string)
  expect(written).toEqual(
    expect.arrayContaining(['weather.env', 'weather.dump', 'documents.tar', 'files.tar', 'secrets/weather_secret_key']),
  )
  const stored = [...new Set([...written, 'checkpoint', 'owner.env', 'blobs-of-the-same-day/reports'])]
  const ignored = execFileSync('git', ['check-ignore', '--no-index', ...stored], { encoding: 'utf8' })
    .trim()
    .split('\n')
  expect(stored.filter((name) => !ignored.includes(name))).toEqual([])
})

it('states the limits and times of the code', async () => {
  const count = (value: number) => value.toLocaleString('en-US')
  const words: Record<number, string> = { 5: 'fifth', 6: 'six', 10: 'ten' }
  const waits = RETRY_DELAYS_SECONDS.map((s) => (s < 60 ? `${s} s` : s < 3600 ? `${s / 60} min` : `${s / 3600} h`))
  const days = RETRY_DELAYS_SECONDS.reduce((sum, seconds) => sum + seconds, 0) / 86_400
  expect(Math.floor(days)).toBe(2)
  const guide = (name: string) => `rest/pages/docs/guide/${name}.html`
  const stated: [page: string, ...sentences: string[]][] = [
    [
      'docs/receiving-posts.md',
      `up to ${words[ATTEMPTS_MAX]} attempts over two days`,
      `after ${waits.slice(0, -1).join(', ')} and ${waits.at(-1)}, each up to a ${words[1 / JITTER]} sooner or later`,
    ],
    [guide('destinations'), `up to ${words[ATTEMPTS_MAX]} attempts over two days`],
    [guide('idempotency'), `up to ${KEY_LENGTH_MAX} visible characters`, `within ${KEY_HOURS} hours`],
    [guide('pages'), `(default ${PER_PAGE}, at most ${PER_PAGE_MAX})`],
    [guide('day-of-loss'), `${PREVIEWS_PER_MINUTE} previews a minute and ${PREVIEWS_PER_DAY} a day`, `up to ${ORDER_MAX} ids`],
    [guide('addresses'), `more than ${APART_MILES} miles apart`],
    [guide('features'), `${LIMIT} features by default`, `up to ${count(LIMIT_MAX)}`],
    [guide('graphql'), `${DEPTH_MAX} levels deep, with ${ALIASES_MAX} aliases and ${count(DOCUMENT_TOKENS_MAX)} tokens`],
    ['docs/archive.md', `at most ${words[SIDE_MAX]} degrees`],
    ['docs/map.md', `from zoom ${WIDTHS_ZOOM_MIN}`],
    ['docs/methodology.md', `more than ${RIVALS_MAX} other days stand out, the statement is about "the ${RIVALS_MAX} other days`],
    ['docs/verifying.md', `the ${PRINTED_MAX} nearest and strongest records`],
    ['docs/production.md', `that is ${STOP_LINK_DAYS} days after it last signed`],
    [
      'SECURITY.md',
      `at most ${TOKENS_MAX} valid tokens`,
      `at most ${SESSION_PER_MINUTE} requests in 60 s`,
      `at most ${CONTACTS_MAX} contacts`,
      `limited in length (${count(FILTER_MAX)} characters)`,
      `expires after ${LINK_MINUTES} minutes`,
      `${count(LIMIT_MAX)} features a page`,
    ],
  ]
  for (const [page, ...sentences] of stated) {
    const text = (await readFile(page, 'utf8')).replaceAll(/\s+/g, ' ')
    for (const sentence of sentences) expect.soft(text, page).toContain(sentence)
  }
})

it('states the figures that the benches recorded', async () => {
  const runs: BenchRun[] = JSON.parse(await readFile('test/bench/results.json', 'utf8'))
  /** The median of an arm at the largest size of its run. */
  const median = (bench: string, arm: string) => {
    const run = runs.find(({ name, run: size }) => name === bench && size === 'small')
    return run?.sizes.at(-1)?.arms.find(({ arm: named }) => named === arm)?.median ?? Number.NaN
  }
  const [pdf, cached] = [median('pdf', 'warm page'), median('cached-tile', 'a tile at hand')]
  const [behindToken, forAnybody] = [median('cached-tile', 'node:http behind the token'), median('cached-tile', 'node:http for anybody')]
  const architecture = (await readFile('ARCHITECTURE.md', 'utf8')).replaceAll(/\s+/g, ' ')
  expect(await readFile('docs/kubernetes.md', 'utf8')).toContain(`${(pdf / 1000).toFixed(2)} s for a document of 50 records`)
  expect(await readFile('ops/kubernetes/documents.yaml', 'utf8')).toContain(`prints in about ${(pdf / 1000).toFixed(2)} s (`)
  expect(architecture).toContain(`A cached tile takes ${(cached / behindToken).toFixed(2)} times as long`)
  expect(architecture).toContain(`${(cached / forAnybody).toFixed(1)} times as long as from one that serves anybody`)
  expect(architecture).toContain(`Of its ${cached.toFixed(2)} ms, ${(behindToken - forAnybody).toFixed(2)} are the round trip`)
})

interface BenchRun {
  name: string
  run: string
  sizes: { arms: { arm: string; median: number }[] }[]
}

it('lists the layers of the domain as the checked rules do', async () => {
  const [, list = ''] = /same line:\n\n```\n([\s\S]*?)\n```/.exec(await readFile('ARCHITECTURE.md', 'utf8')) ?? []
  const { overrides } = JSON.parse(await readFile('biome.json', 'utf8')) as { overrides: { includes: string[] }[] }
  const ruled = overrides.filter((rule) => JSON.stringify(rule).includes('noRestrictedImports')).map(({ includes }) => includes)
  const lines = ruled.filter(([first = '']) => first.startsWith('domain/')).map((line) => line.map((glob) => glob.split('/')[1]).join(' '))
  expect(lines).toEqual(list.split('\n'))
  expect((await readdir('domain')).toSorted()).toEqual(list.split(/\s/).toSorted())
})

it('has the limits and features of every plan', async () => {
  const page = await readFile('docs/operating.md', 'utf8')
  const table =
    /## Plans\n\n([\s\S]*?)\n\n/
      .exec(page)?.[1]
      ?.split('\n')
      .map((line) => line.split('|').slice(2, -1)) ?? []
  const [heads, , ...rows] = table.map((cells) => cells.map((cell) => cell.trim()))
  const together: Feature[][] = [
    ['pdf_export', 'imagery', 'record_alerts'],
    ['api', 'live_warnings', 'observations', 'report_branding'],
    ['compose_layout', 'property_intelligence'],
  ]
  const cellsOf = (cell: (tier: Plan) => string) => tiers.map(cell)
  expect(heads).toEqual(cellsOf(({ tier }) => `\`${tier}\``))
  expect(rows).toEqual([
    ...ceilings.map((ceiling) => cellsOf((tier) => tier[ceiling].toLocaleString('en-US'))),
    ...together.map((named) => cellsOf(({ includes }) => (named.every((name) => includes[name]) ? 'yes' : ''))),
  ])
  for (const { includes } of tiers) for (const named of together) expect(new Set(named.map((name) => includes[name])).size).toBe(1)
  expect(together.flat().toSorted()).toEqual(features.toSorted())
  const named = `${tiers
    .slice(0, -1)
    .map(({ tier }) => tier)
    .join(', ')} or ${tiers.at(-1)?.tier}`
  expect((await readFile('cli/commands/admin.ts', 'utf8')).split(named)).toHaveLength(3)
  expect(page).toContain(`\`--trial\` gives ${trial.days} days of \`${trial.tier}\` with ${trial.credits} credits`)
})

it('has every exit status of the terminal program', async () => {
  const [table = ''] = /\| exit status [\s\S]*/.exec(await readFile('docs/terminal.md', 'utf8')) ?? []
  const statuses = [...table.matchAll(/\| (\d+) (?=\| \w)/g)].map(([, status]) => Number(status))
  expect(statuses.toSorted((a, b) => a - b)).toEqual(Object.values(exits))
})
