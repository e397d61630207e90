import { writeFileSync } from 'node:fs'
import { printSchema } from 'graphql'
import { schema } from '#graphql/schema.ts'

/** The committed schema, beside this file. `npm run schema:print` writes it. */
const FILE = new URL('schema.graphql', import.meta.url)

/** The schema as text, as it is committed. */
export const printedSchema = (): string => `${printSchema(schema)}\n`

if (process.argv[1] === new URL(import.meta.url).pathname) writeFileSync(FILE, printedSchema())
