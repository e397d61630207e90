import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/** Files that people write and read. Golden files and migrations are historical records. */
const PLACES = ['cli', 'console', 'docs', 'domain', 'graphql', 'ops', 'rest', 'scripts', 'workers', 'test']
const NOT_OURS = /(^|\/)(node_modules|dist|generated|golden)\//
const TEXT = /\.(ts|tsx|mjs|md|html|css|graphql|yml|json|tsv|prisma)$/

/** Each has a plain replacement: announce, report, show, know, distinguish, upsert, lock, retry. */
const OLD_WORDS = new RegExp(
  String.raw`\b(${['told', 'tell', 'tells', 'telling', 'untold', 'news', 'deeds', 'patiently', 'takeTurn', 'keepProperty', 'countHeld'].join('|')}|hold(Records|Detection))\b`,
  'i',
)

test('words that only this project would know are not in use', () => {
  const files = [...PLACES.flatMap(filesIn), ...filesAt('.')].filter((file) => TEXT.test(file) && !NOT_OURS.test(file))
  expect(files.length).toBeGreaterThan(1000)
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => (OLD_WORDS.test(line) ? [`${file}:${at + 1} ${line.trim().slice(0, 120)}`] : [])),
  )
  expect(found.filter((line) => !line.startsWith('test/words.test.ts'))).toEqual([])
})

const filesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name))
const filesAt = (folder: string) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && entry.name !== 'package-lock.json' ? [entry.name] : [],
  )
