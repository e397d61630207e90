// `node scripts/build/generate.mjs [FOLDER]`: the database code that schema.prisma of a folder names, as `prisma generate` makes it, but
// without Prisma's command line, which brings 130 packages and a migration engine that is downloaded.
import { createRequire } from 'node:module'
import path from 'node:path'
import { at } from '../root.mjs'

const require = createRequire(import.meta.url)
// Their other form imports files that their packages lack.
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
      generatorPath: at('node_modules/@pothos/plugin-prisma/bin/generator.js'),
    },
  },
})
for (const generator of generators) {
  await generator.generate()
  generator.stop()
}
