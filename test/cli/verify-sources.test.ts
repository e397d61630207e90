import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { detailsName, sampleDetails } from '#domain/archive/sample/storm-files.ts'
import { readDocumentFacts } from '#domain/reports/document/facts.ts'
import { sourcesFiles } from '#domain/reports/document/sources-file.ts'
import { type Genuine, type Install, openInstall } from '../forgeries/genuine.ts'
import { openTerminal, type Terminal } from './terminal.ts'

let install: Install
let genuine: Genuine
let list: string
let folder: string
let weather: Terminal
beforeAll(async () => {
  install = await openInstall()
  genuine = install.documents[0] as Genuine
  const facts = await readDocumentFacts(install.world.app, genuine.id)
  if (!facts) throw new Error('the report is not there')
  list = String(sourcesFiles(facts.report, facts.records)[0]?.bytes)
  folder = await mkdtemp(path.join(os.tmpdir(), 'weather-sources-'))
  weather = await openTerminal({ WEATHER_HOME: folder, XDG_CONFIG_HOME: folder })
  await writeFile(at('report.pdf'), genuine.pdf)
  await writeFile(at('evidence.json'), genuine.evidence)
})
afterAll(async () => {
  await install.close()
  await rm(folder, { recursive: true, force: true })
})

const at = (name: string) => path.join(folder, name)

async function compared(report: string, name: string, bytes: string | Buffer) {
  await writeFile(at(name), bytes)
  const { status, stdout } = await weather('verify', at(report), '--offline', '--source', at(name))
  return { status, words: stdout.replace(/\s+/g, ' ') }
}

describe('an agency file', () => {
  test('states each record that is cited from it, compressed or not; radar cells come from other files', async () => {
    for (const bytes of [sampleDetails(), gzipSync(sampleDetails())]) {
      const { status, words } = await compared('report.pdf', detailsName, bytes)
      expect(words).toMatch(
        new RegExp(`agrees: ${detailsName} \\(SHA-256 [0-9a-f]{64}\\) contains \\d+ cited records, each as the report states it`),
      )
      expect(words).toMatch(/not compared: \d+ cited records? whose file the report does not name/)
      expect(status).toBe(10)
    }
  })

  test('with other content does not match, and its content is stated', async () => {
    const mismatchWords = async (name: string, bytes: string | Buffer) => {
      const { status, words } = await compared('report.pdf', name, bytes)
      expect(status).toBe(9)
      return words
    }
    expect(await mismatchWords(detailsName, sampleDetails().replace('1.75', '1.25'))).toMatch(
      /DIFFERS: \S+ is not the \S+ that the report cites: its \d+ bytes have the SHA-256 [0-9a-f]{64}, not [0-9a-f]{64}/,
    )
    expect(await mismatchWords(detailsName, gzipSync(sampleDetails()).subarray(0, 400))).toContain('; it is cut off or damaged')
    expect(await mismatchWords('other.csv', 'a,b\n1,2\n')).toContain('is not one of the files that the report cites: ')
    expect(await mismatchWords('empty.csv', '')).toContain('is not one of the files that the report cites: ')
  })

  test('may be of any size', async () => {
    await writeFile(at('huge.csv'), '')
    await truncate(at('huge.csv'), 300 * 1024 * 1024)
    const { status, stdout } = await weather('verify', at('report.pdf'), '--offline', '--source', at('huge.csv'))
    expect([status, stdout.includes('is not one of the files')]).toEqual([9, true])
  })

  test('that does not exist, or a report by its id, is a usage error', async () => {
    const missing = await weather('verify', at('report.pdf'), '--offline', '--source', at('nowhere.csv'))
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('nowhere.csv cannot be read: there is no such file.')])
    const by_id = await weather('verify', genuine.id, '--source', at('report.pdf'))
    expect([by_id.status, by_id.stderr]).toEqual([2, expect.stringContaining('--source needs the PDF of the report')])
  })
})

describe('evidence alone', () => {
  test('is compared by the list next to it, and names the record that its row does not state', async () => {
    expect((await compared('evidence.json', detailsName, sampleDetails())).words).toContain('the report has no sources.json')
    await writeFile(at('sources.json'), list)
    expect((await compared('evidence.json', detailsName, sampleDetails())).words).toContain('each as the report states it')
    const wrong = JSON.parse(list) as { records: ({ start: number; length: number } | null)[] }
    const known = wrong.records.filter((place) => place !== null)
    const [one, other] = [known[0], known.at(-1)] as [{ start: number; length: number }, { start: number; length: number }]
    Object.assign(one, { start: other.start, length: other.length })
    await writeFile(at('sources.json'), JSON.stringify(wrong))
    const { status, words } = await compared('evidence.json', detailsName, sampleDetails())
    expect(status).toBe(9)
    expect(words).toMatch(
      new RegExp(`DIFFERS: \\S.* in ${detailsName}, bytes ${other.start} to ${other.start + other.length}: the row states`),
    )
    for (const [bytes, reason] of [
      ['{', 'is not JSON'],
      ['{}', 'is not a list of cited files'],
      [list.replace(/"fingerprint":"..../, '"fingerprint":"ffff'), 'belongs to another report'],
      [list.replace('"records":[', '"records":[null,'), 'lists'],
      [list.replace('"file":0', '"file":7'), 'refers to a file that it does not list'],
    ] as const) {
      await writeFile(at('sources.json'), bytes)
      expect(await compared('evidence.json', detailsName, sampleDetails())).toMatchObject({
        status: 9,
        words: expect.stringContaining(`sources.json ${reason}`),
      })
    }
  })
})
