import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse, print, specifiedRules, validate } from 'graphql'
import { expect, test } from 'vitest'
import { costRule } from '#graphql/cost.ts'
import { operatorSchema, personSchema } from '#graphql/schema.ts'
import { graphql, printDocument } from '../../console/api/graphql.ts'

/** Every GraphQL document of the console, with its file. */
const documents = readdirSync('console', { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.tsx') || (name.endsWith('.ts') && !name.endsWith('.d.ts')))
  .flatMap((name) =>
    [...readFileSync(path.join('console', name), 'utf8').matchAll(/graphql\(`([^`]+)`\)|graphql\(\s*`([^`]+)`,?\s*\)/g)].map(
      ([, one, two]) => [name, one ?? two ?? ''],
    ),
  )

/** Documents of the operator use another schema. */
const schemaOf = (name = '') => (name.includes(`${path.sep}operator${path.sep}`) ? operatorSchema : personSchema)

test('the console has GraphQL documents', () => {
  expect(documents.length).toBeGreaterThan(15)
})

test.each(documents)('%s requests only fields that exist, within the limits on cost and size: %s', (name, text) => {
  expect(validate(schemaOf(name), parse(text), [...specifiedRules, costRule]).map(({ message }) => message)).toEqual([])
})

test.each(documents)('%s is sent as it is written: %s', (_name, text) => {
  const document = graphql(text as never)
  expect(print(parse(printDocument(document)))).toBe(print(parse(text)))
})
