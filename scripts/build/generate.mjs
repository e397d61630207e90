// `node scripts/build/generate.mjs [FOLDER]`: generates the database code for schema.prisma of a folder, like `prisma generate`, but
// without Prisma's command line, which brings 130 packages and a migration engine that is downloaded.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fromRoot } from '../root.mjs'

const require = createRequire(import.meta.url)
// Their ES module form imports files that their packages lack.
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts')
const { getGenerators, loadSchemaContext } = require('@prisma/internals')

const folder = path.resolve(process.argv[2] ?? '.')
const schemaContext = await loadSchemaContext({ schemaPath: { cliProvidedPath: path.join(folder, 'schema.prisma') } })
const generators = await getGenerators({
  schemaContext,
  cliCommand: 'generate',
  skipDownload: true,
  registry: {
    'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() },
    'prisma-pothos-types': {
      type: 'rpc',
      isNode: true,
      generatorPath: fromRoot('node_modules/@pothos/plugin-prisma/bin/generator.js'),
    },
  },
})
for (const generator of generators) {
  await generator.generate()
  generator.stop()
}

/** The name of a closed set in the comment of a column. */
const CLOSED_SET = /^\[([A-Z]\w+)\]$/m

for (const model of generators[0].options.dmmf.datamodel.models) {
  const columns = model.fields.flatMap(({ name, documentation = '' }) => {
    const set = CLOSED_SET.exec(documentation)?.[1]
    return set ? [{ name, set }] : []
  })
  if (columns.length > 0) typeClosedSets(path.join(folder, 'generated/prisma/models', `${model.name}.ts`), columns)
}

/**
 * Gives columns with a closed set its type instead of Prisma's `string`: in rows, writes and filters. Prisma's own enums would be database
 * types, which a migration cannot put in place of text columns while the earlier version still serves.
 */
function typeClosedSets(file, columns) {
  const generated = columns.reduce(
    (text, { name, set }) => text.replaceAll(new RegExp(`^( +${name}\\??: .*?)\\bstring\\b`, 'gm'), `$1ClosedSet<'${set}'>`),
    readFileSync(file, 'utf8'),
  )
  writeFileSync(file, generated.replace(/^import /m, "import type { ClosedSet } from '#domain/closed-sets.ts'\nimport "))
}
