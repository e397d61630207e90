import { abilities } from '#domain/access/abilities.ts'
import { LINK_MINUTES } from '#domain/engines/signed-link.ts'
import type { JsonSchema } from '#domain/kernel/fields.ts'
import { orNull } from '#domain/kernel/form.ts'
import { PER_PAGE_MAX } from '#domain/kernel/pagination.ts'
import { PROPERTY_BATCH_MAX } from '#domain/properties/batch.ts'
import { REPORT_BATCH_MAX } from '#domain/reports/batch.ts'
import { json } from '#rest/answers.ts'
import type { Answer, Exchange, Row } from '#rest/exchange.ts'
import { refTo } from '#rest/json-schemas.ts'
import { PREFIX } from '#rest/match.ts'

/** The index: every endpoint, and whether this token may use it. */
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
        per_page_max: PER_PAGE_MAX,
        batch: { properties: PROPERTY_BATCH_MAX, reports: REPORT_BATCH_MAX },
        download_link_ttl_minutes: LINK_MINUTES,
        rate_limit_per_minute: app.config.rate_limit_per_minute,
        plan: caller.plan.tier,
      },
    },
  })
}

const text = { type: 'string' }
const integer = { type: 'integer' }
const granted = { type: 'boolean', description: 'Whether this token may use it.' }
const objectSchema = (properties: Record<string, object>): JsonSchema => ({ type: 'object', required: Object.keys(properties), properties })

/** Schema of the index, for the OpenAPI document. */
export const indexSchema: JsonSchema = objectSchema({
  object: { type: 'string', const: 'index' },
  version: { ...text, const: 'v1', description: 'Version of the API, as in its paths.' },
  documentation: { ...text, format: 'uri', description: 'The OpenAPI document.' },
  abilities: {
    type: 'array',
    items: objectSchema({ name: refTo('Ability'), label: text, description: text, granted }),
  },
  endpoints: {
    type: 'array',
    items: objectSchema({
      method: { ...text, enum: ['GET', 'POST', 'PATCH', 'DELETE'] },
      path: text,
      name: text,
      ability: { ...orNull(refTo('Ability')), description: 'Null: any valid token.' },
      granted,
    }),
  },
  limits: objectSchema({
    per_page_max: integer,
    batch: objectSchema({ properties: integer, reports: integer }),
    download_link_ttl_minutes: integer,
    rate_limit_per_minute: integer,
    plan: { ...refTo('Tier'), description: 'Tier of the team.' },
  }),
})
