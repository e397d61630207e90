import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closedSets } from '#domain/closed-sets.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('the values that the database allows in a column are the closed set that schema.prisma names for it', async () => {
  const checked = await checkedColumns()
  const named = namedColumns()
  expect(Object.keys(checked).length).toBeGreaterThan(15)
  for (const [column, values] of Object.entries(checked)) expect([column, valuesOf(named[column])]).toEqual([column, values])
})

test('schema.prisma names only existing sets, and every one of them', () => {
  expect([...new Set(Object.values(namedColumns()))].sort()).toEqual(Object.keys(closedSets).sort())
})

const valuesOf = (set = '') => [...(new Map<string, readonly string[]>(Object.entries(closedSets)).get(set) ?? [])].sort()

/** Columns whose check constraint lists the allowed values, with those values. */
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

/** Columns of schema.prisma whose comment names a closed set, with the name of the set. */
function namedColumns(): Record<string, string> {
  const models = readFileSync('schema.prisma', 'utf8').matchAll(/^model \w+ \{\n(.*?)@@map\("(\w+)"\)/gms)
  return Object.fromEntries(
    [...models].flatMap(([, body = '', table]) =>
      [...body.matchAll(/\/\/\/ \[([A-Z]\w+)\]\n +(\w+)/g)].map(([, set = '', column]) => [`${table}.${column}`, set]),
    ),
  )
}
