import type { GraphQLSchema } from 'graphql'
import type { Ability } from '#domain/access/abilities.ts'
import { endpoints } from '#rest/endpoints.ts'
import type { Endpoint, Row } from '#rest/exchange.ts'
import { operationsOf } from '#rest/sofa.ts'

/**
 * Makes every row of the table ready against the schema.
 * Throws at boot where a row names a field that is not there.
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

/** `/reports/{report}/events` is within what `GET /reports/{report}` answers. */
function parentOf({ path }: Endpoint, rows: Row[]): Row | null {
  const within = /^\/\w+\/\{\w+\}(?=\/|$)/.exec(path)?.[0]
  return rows.find(({ endpoint }) => endpoint.method === 'GET' && endpoint.path === within) ?? null
}
