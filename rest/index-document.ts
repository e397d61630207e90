import { abilities } from '#domain/access/abilities.ts'
import { json } from '#rest/answers.ts'
import type { Answer, Exchange, Row } from '#rest/exchange.ts'
import { limits } from '#rest/limits.ts'
import { PREFIX } from '#rest/match.ts'

/** The index: what there is, and what of it this token may do. */
export async function indexDocument({ api: { app, rows }, caller }: Exchange): Promise<Answer> {
  const granted = (ability: Row['ability']) => ability === null || caller.abilities.has(ability)
  return json({
    data: {
      object: 'index',
      version: 'v1',
      documentation: `${app.config.base_url}${PREFIX}/openapi.json`,
      abilities: abilities.map((ability) => ({ ...ability, granted: granted(ability.name) })),
      endpoints: rows.map(({ endpoint, ability }) => ({
        method: endpoint.method,
        path: `${PREFIX}${endpoint.path}`,
        name: endpoint.name,
        ability,
        granted: granted(ability),
      })),
      limits: {
        ...limits,
        rate_limit_per_minute: app.config.rate_limit_per_minute,
        plan: caller.plan.tier,
      },
    },
  })
}
