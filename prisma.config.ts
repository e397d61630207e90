import { defineConfig } from 'prisma-cli/config'

/** Where Prisma's own commands find the schema, the migrations and, when set, the database. */
export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
})
