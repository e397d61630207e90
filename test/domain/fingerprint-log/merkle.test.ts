import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { consistencyRanges, inclusionRanges, type LeafRange, leafHash, nodeHash } from '#domain/fingerprint-log/merkle.ts'
import { grow, growingTiles, rangeHash, type Tiles, tileKey, tilesOf } from '#domain/fingerprint-log/tiles.ts'
import { proofLine, type TreeCase, type TreeProofs, treeCases } from '#test/oracle/tlog/cases.ts'
import { EMPTY_ROOT, provesConsistency, provesInclusion } from '#test/support/merkle-proofs.ts'
import { seededRandom } from '#test/support/random.ts'

/** Entries are the decimal numbers 0, 1, 2 and so on, as in test/oracle/tlog/main.go. */
const entry = (index: number) => Buffer.from(String(index))

const cases = treeCases()
const tiles: Tiles = new Map()

/** The tree grows in batches of different lengths, as the log does. */
beforeAll(() => {
  const random = seededRandom(1)
  for (let size = 0; size < 70_000; ) {
    const count = Math.min(70_000 - size, 1 + Math.floor(random() * 600))
    const entries = Array.from({ length: count }, (_, at) => entry(size + at))
    const growing = new Map(growingTiles(size).map((place) => [tileKey(place), tiles.get(tileKey(place)) as Buffer]))
    for (const tile of grow(size, growing, entries)) tiles.set(tileKey(tile), tile.hashes)
    size += count
  }
})

const hashes = new Map<string, Buffer>()
const hashOf = (range: LeafRange) => {
  const key = `${range.start}-${range.end}`
  const hash = hashes.get(key) ?? rangeHash(tiles, range)
  hashes.set(key, hash)
  return hash
}
const rootOf = (size: number) => hashOf({ start: 0, end: size })
const inclusionOf = ({ index, size }: TreeCase) => inclusionRanges(index, size).map(hashOf)
const consistencyOf = ({ old, size }: TreeCase) => consistencyRanges(old, size).map(hashOf)

function proofsOf(one: TreeCase): TreeProofs {
  const text = (hash: Buffer) => hash.toString('base64')
  return {
    ...one,
    root: text(rootOf(one.size)),
    old_root: text(rootOf(one.old)),
    inclusion: inclusionOf(one).map(text),
    consistency: consistencyOf(one).map(text),
  }
}

test('the root of three leaves is as RFC 6962 defines it, step by step', () => {
  const [first, second, third] = [0, 1, 2].map((index) => leafHash(entry(index))) as [Buffer, Buffer, Buffer]
  expect(rootOf(3)).toEqual(nodeHash(nodeHash(first, second), third))
  expect(EMPTY_ROOT.toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})

test('roots and proofs of 1000 tree sizes equal those of golang.org/x/mod/sumdb/tlog', () => {
  const kept = readFileSync('test/golden/tlog/proofs.txt', 'utf8').trim().split('\n')
  expect(cases).toHaveLength(1000)
  expect(cases.map((one) => proofLine(proofsOf(one)))).toEqual(kept)
})

const GO_SOURCES = '/usr/share/gocode'
const hasGo = existsSync('/usr/bin/go') && existsSync(`${GO_SOURCES}/src/golang.org/x/mod/sumdb/tlog`)

test.skipIf(!hasGo)('roots and proofs of the same 1000 sizes equal those of an installed Go tlog', () => {
  const cache = mkdtempSync(path.join(tmpdir(), 'weather-go-'))
  try {
    const answer = execFileSync('/usr/bin/go', ['run', 'test/oracle/tlog/main.go'], {
      input: cases.map(({ size, index, old }) => `${size} ${index} ${old}\n`).join(''),
      env: { PATH: process.env.PATH, GO111MODULE: 'off', GOPATH: GO_SOURCES, GOCACHE: cache, GOFLAGS: '' },
      maxBuffer: 16 * 1024 * 1024,
    })
    const answered = answer
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as TreeProofs)
    expect(cases.map(proofsOf)).toEqual(answered)
  } finally {
    rmSync(cache, { recursive: true })
  }
})

test('proves every leaf of every tree of up to 130 leaves, and every tree from every smaller one', () => {
  const refused: string[] = []
  for (let size = 1; size <= 130; size++) {
    const root = rootOf(size)
    for (let index = 0; index < size; index++)
      if (!provesInclusion(leafHash(entry(index)), index, size, inclusionOf({ index, size, old: 1 }), root))
        refused.push(`${index} of ${size}`)
    for (let old = 0; old <= size; old++) {
      const old_root = old === 0 ? EMPTY_ROOT : rootOf(old)
      if (!provesConsistency(old, old_root, size, root, consistencyOf({ size, old, index: 0 }))) refused.push(`${old} to ${size}`)
    }
  }
  expect(refused).toEqual([])
})

test('refuses one flipped bit in a proof, a leaf, a root or a number, in each of 1000 trials', () => {
  const random = seededRandom(2)
  const flip = (bytes: Buffer) => {
    const changed = Buffer.from(bytes)
    const bit = Math.floor(random() * changed.length * 8)
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    return changed
  }
  const flipOne = (parts: Buffer[]) => parts.map((part, at, { length }) => (at === Math.floor(chosen * length) ? flip(part) : part))
  let chosen = 0
  let refused = 0
  for (const one of cases) {
    chosen = random()
    const { size, index, old } = one
    const [leaf, root, ...inclusion] = flipOne([leafHash(entry(index)), rootOf(size), ...inclusionOf(one)]) as [Buffer, Buffer, ...Buffer[]]
    const [old_root, new_root, ...consistency] = flipOne([rootOf(old), rootOf(size), ...consistencyOf(one)]) as [
      Buffer,
      Buffer,
      ...Buffer[],
    ]
    const other = index === 0 ? 1 : index ^ (1 << Math.floor(random() * Math.ceil(Math.log2(index + 1))))
    const included = provesInclusion(leaf, index, size, inclusion, root)
    const moved = provesInclusion(leafHash(entry(index)), other, size, inclusionOf(one), rootOf(size))
    const consistent = old < size && provesConsistency(old, old_root, size, new_root, consistency)
    if (!included && !moved && !consistent) refused++
  }
  expect(refused).toBe(1000)
})

test('a truncated or extended proof, or one of another tree, proves nothing', () => {
  const one = { size: 300, index: 77, old: 200 }
  const [inclusion, consistency] = [inclusionOf(one), consistencyOf(one)]
  const leaf = leafHash(entry(77))
  const extra = leafHash(entry(0))
  for (const wrong of [inclusion.slice(1), inclusion.slice(0, -1), [...inclusion, extra], [extra, ...inclusion], []])
    expect(provesInclusion(leaf, 77, 300, wrong, rootOf(300))).toBe(false)
  for (const wrong of [consistency.slice(1), consistency.slice(0, -1), [...consistency, extra], []])
    expect(provesConsistency(200, rootOf(200), 300, rootOf(300), wrong)).toBe(false)
  expect(provesInclusion(leaf, 77, 200, inclusion, rootOf(300))).toBe(false)
  expect(provesInclusion(leaf, 300, 300, inclusion, rootOf(300))).toBe(false)
  expect(provesInclusion(leaf, -1, 300, inclusion, rootOf(300))).toBe(false)
  expect(provesConsistency(301, rootOf(300), 300, rootOf(300), [])).toBe(false)
  expect(provesConsistency(300, rootOf(299), 300, rootOf(300), [])).toBe(false)
  expect(provesConsistency(0, rootOf(1), 300, rootOf(300), [])).toBe(false)
})

test("refuses a leaf beyond the tree's size and growth from a larger tree", () => {
  expect(() => inclusionRanges(3, 3)).toThrow('a tree of 3 leaves has no leaf 3')
  expect(() => consistencyRanges(4, 3)).toThrow('a tree of 3 leaves cannot have grown from one of 4')
  expect(() => inclusionRanges(0.5, 3)).toThrow(RangeError)
})

test("needs only the few tiles that contain a proof's hashes", () => {
  const places = tilesOf(inclusionRanges(12_345, 70_000))
  const needed = new Map(places.map((place) => [tileKey(place), tiles.get(tileKey(place)) as Buffer]))
  const proof = inclusionRanges(12_345, 70_000).map((range) => rangeHash(needed, range))
  expect(provesInclusion(leafHash(entry(12_345)), 12_345, 70_000, proof, rootOf(70_000))).toBe(true)
  expect(places.length).toBeLessThanOrEqual(6)
})
