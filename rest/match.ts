import { Refusal } from '#domain/kernel/refusal.ts'
import type { Method, Row } from '#rest/exchange.ts'

/** Prefix of every path; contains the version. */
export const PREFIX = '/api/v1'

/** The rows of one path. */
interface Route {
  pattern: RegExp
  /** Literal paths take precedence over parameters: /reports/batch is not the id of a report. */
  literal: boolean
  rows: Map<Method, Row>
}

export type Match = (method: string, path: string) => { row: Row; params: Record<string, string> }

/**
 * Prepares the routes of the rows.
 * The match throws `not_found` for an unknown path and `method_not_allowed` for an unknown method of a known path. HEAD counts as GET.
 */
export function matcherOf(rows: readonly Row[]): Match {
  const routes = new Map<string, Route>()
  for (const row of rows) {
    const { path, method } = row.endpoint
    const route = routes.get(path) ?? { pattern: patternOf(path), literal: !path.includes('{'), rows: new Map() }
    route.rows.set(method, row)
    routes.set(path, route)
  }
  const ordered = [...routes.values()].sort((a, b) => Number(b.literal) - Number(a.literal))

  return (method, path) => {
    for (const route of ordered) {
      const found = route.pattern.exec(path)
      if (!found) continue
      const row = route.rows.get((method === 'HEAD' ? 'GET' : method) as Method)
      if (!row) throw methodNotAllowed(method, [...route.rows.keys()])
      return { row, params: decodeParams(found.groups ?? {}) }
    }
    throw new Refusal('not_found', 'There is nothing at this path.')
  }
}

/** The route of a path under the prefix: `/reports/{report}` matches one segment as `report`. */
function patternOf(path: string): RegExp {
  const source = path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+?)')
  return new RegExp(`^${PREFIX}${source}${path === '' ? '/?' : ''}$`)
}

function methodNotAllowed(method: string, known: Method[]): Refusal {
  const allow = known.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
  return new Refusal('method_not_allowed', `This path does not support ${method}. It supports ${allow.join(', ')}.`, { allow })
}

/** A parameter with invalid percent-encoding names no record. */
function decodeParams(groups: Record<string, string>): Record<string, string> {
  const params: Record<string, string> = {}
  try {
    for (const [name, text] of Object.entries(groups)) params[name] = text.includes('%') ? decodeURIComponent(text) : text
    return params
  } catch {
    throw new Refusal('not_found', 'There is nothing at this path.')
  }
}
