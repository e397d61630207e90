import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Team } from '#generated/prisma/client.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { type Graph, type GraphAnswer, openGraph } from './graph.ts'

/** GraphQL over one install for all tests of a file, with a new team before each test. */
export interface TeamGraph {
  readonly world: World
  readonly graph: Graph
  readonly team: Team
  /** Has every ability. */
  readonly token: string
  /** Posts a document with the team's token. */
  ask(query: string, variables?: Record<string, unknown>): Promise<GraphAnswer>
  /** Replaces the team for the rest of the test. */
  replaceTeam(options: Parameters<typeof aTeam>[1]): Promise<void>
}

/** Called once at the top of a test file. The limit of requests is out of the way of its tests. */
export function teamGraph(): TeamGraph {
  let world: World
  let graph: Graph
  let team: Team
  let token: string
  const replaceTeam: TeamGraph['replaceTeam'] = async (options) => {
    team = await aTeam(world, options)
    token = (await aToken(world, team)).token
  }
  beforeAll(async () => {
    world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
    graph = await openGraph(world.app)
  })
  beforeEach(() => replaceTeam({}))
  afterAll(() => graph.close())
  return {
    get world() {
      return world
    },
    get graph() {
      return graph
    },
    get team() {
      return team
    },
    get token() {
      return token
    },
    ask: (query, variables) => graph.ask(token, query, variables),
    replaceTeam,
  }
}
