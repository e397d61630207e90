import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closedSets } from '#domain/closed-sets.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('what the database lets into a column is the closed set that schema.prisma gives the column', async () => {
  const checked = await checkedColumns()
  const named = namedColumns()
  expect(Object.keys(checked).length).toBeGreaterThan(15)
  for (const [column, values] of Object.entries(checked)) expect([column, valuesOf(named[column])]).toEqual([column, values])
})

test('schema.prisma names sets that are there, and each of them', () => {
  expect([...new Set(Object.values(namedColumns()))].sort()).toEqual(Object.keys(closedSets).sort())
})

const valuesOf = (set = '') => [...(new Map<string, readonly string[]>(Object.entries(closedSets)).get(set) ?? [])].sort()

/** Columns whose check lists the values that they take, with those values. */
async function checkedColumns(): Promise<Record<string, string[]>> {
  const { rows } = await world.owner.query<{ table: string; says: string }>(
    `SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS says FROM pg_constraint
      WHERE contype = 'c' AND connamespace = 'public'::regnamespace`,
  )
  return Object.fromEntries(
    rows.flatMap(({ table, says }) =>
      [...says.matchAll(/\((\w+) (?:= ANY \(|<@ )ARRAY\[(.*?)\]/g)].map(([, column, list = '']) => [
        `${table}.${column}`,
        [...list.matchAll(/'(\w+)'/g)].map(([, value = '']) => value).sort(),
      ]),
    ),
  )
}

/** Columns of schema.prisma under a comment that names a closed set, with its name. */
function namedColumns(): Record<string, string> {
  const models = readFileSync('schema.prisma', 'utf8').matchAll(/^model \w+ \{\n(.*?)@@map\("(\w+)"\)/gms)
  return Object.fromEntries(
    [...models].flatMap(([, body = '', table]) =>
      [...body.matchAll(/\/\/\/ \[([A-Z]\w+)\]\n +(\w+)/g)].map(([, set = '', column]) => [`${table}.${column}`, set]),
    ),
  )
}
