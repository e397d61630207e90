import type { GraphQLSchema } from 'graphql'
import type { Ability } from '#domain/access/abilities.ts'
import { endpoints } from '#rest/endpoints.ts'
import type { Endpoint, Row } from '#rest/exchange.ts'
import { operationsOf } from '#rest/sofa.ts'

/**
 * Prepares every row of the table with the schema.
 * Throws at boot if a row names a missing field.
 */
export function rowsOf(schema: GraphQLSchema): Row[] {
  const operationOf = operationsOf(schema)
  const rows = endpoints.map((endpoint): Row => {
    if ('by' in endpoint) return { endpoint, ability: endpoint.ability, operation: null, parent: null }
    const operation = operationOf(endpoint)
    return { endpoint, ability: (operation.field.extensions.ability as Ability | undefined) ?? null, operation, parent: null }
  })
  for (const row of rows) row.parent = parentOf(row.endpoint, rows)
  return rows
}

/** `/reports/{report}/events` is part of the record of `GET /reports/{report}`. */
function parentOf({ path }: Endpoint, rows: Row[]): Row | null {
  const recordPath = /^\/\w+\/\{\w+\}(?=\/|$)/.exec(path)?.[0]
  return rows.find(({ endpoint }) => endpoint.method === 'GET' && endpoint.path === recordPath) ?? null
}
