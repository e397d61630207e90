import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { personSchema } from '#graphql/schema.ts'

/** Every document of the console, with the file that asks it. */
const documents = readdirSync('console', { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.tsx') || (name.endsWith('.ts') && !name.endsWith('.d.ts')))
  .flatMap((name) =>
    [...readFileSync(path.join('console', name), 'utf8').matchAll(/graphql\(`([^`]+)`\)|graphql\(\s*`([^`]+)`,?\s*\)/g)].map(
      ([, one, two]) => [name, one ?? two ?? ''],
    ),
  )

test('the console asks', () => {
  expect(documents.length).toBeGreaterThan(15)
})

test.each(documents)('%s asks what there is for people: %s', (_name, text) => {
  expect(validate(personSchema, parse(text)).map(({ message }) => message)).toEqual([])
})
