import assert from 'node:assert'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'
import { abilities } from '#domain/access/abilities.ts'
import { issueToken } from '#domain/access/tokens.ts'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { systemClock } from '#domain/engines/clock.ts'
import type { TileAddress } from '#domain/maps/mercator.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { createApiServer } from '#rest/host.ts'
import { configFor } from '#test/support/config-for.ts'
import type { Bed } from './frame.ts'
import { holdMapRecords } from './map-records.ts'

/** Requests in flight: those of one map view. */
export const AT_ONCE = 8
/** A limit that is never reached. */
const LIMIT = 100_000_000

/** The service over an archive of made-up records with finished maps, with a token for it. */
export interface MapService {
  app: App
  client: Pool
  token: string
}

export async function openMapService(bed: Bed): Promise<MapService> {
  const { url, pool } = await bed.database()
  await holdMapRecords(pool, bed.size, bed.random)
  const app = await openApp(configFor({ database_url: url, rate_limit_per_minute: LIMIT, home: bed.folder }))
  bed.closing(() => closeApp(app))
  await refreshMaps(app)
  const { id: team_id } = await createTeam(app.db, systemClock, { name: 'Bench', plan: 'enterprise' })
  const { token } = await issueToken(app.db, { team_id, name: 'Bench', abilities: abilities.map(({ name }) => name), expires_at: null })
  const fastify = await createApiServer(app)
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  bed.closing(() => fastify.close())
  return { app, client: clientOf(bed, fastify.server.address() as AddressInfo), token }
}

/** Another implementation of the responses, without a framework. */
export async function serve(bed: Bed, listener: RequestListener): Promise<Pool> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  bed.closing(() => server.close())
  return clientOf(bed, server.address() as AddressInfo)
}

function clientOf(bed: Bed, { port }: AddressInfo): Pool {
  const client = new Pool(`http://127.0.0.1:${port}`, { connections: AT_ONCE })
  bed.closing(() => client.close())
  return client
}

export type Tile = TileAddress

/** The bytes of a response as sent: compressed, as every browser requests them. */
export async function bytesFrom(client: Pool, { token }: Pick<MapService, 'token'>, { z, x, y }: Tile): Promise<Buffer> {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
  const { statusCode, body } = await client.request({ method: 'GET', path: `/api/v1/tiles/${z}/${x}/${y}.mvt`, headers })
  const bytes = Buffer.from(await body.arrayBuffer())
  assert.equal(statusCode, 200, bytes.toString('latin1').slice(0, 200))
  return bytes
}
