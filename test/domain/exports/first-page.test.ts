import type pg from 'pg'
import { expect, it } from 'vitest'
import { exportArchive } from '#domain/exports/archive/export.ts'
import { exportStormDay } from '#domain/exports/storm-day.ts'

const pool = { query: () => Promise.reject(new Error('the database is gone')) } as unknown as pg.Pool
const team = { id: '00000000-0000-0000-0000-000000000000' } as Parameters<typeof exportStormDay>[1]['team']

it.each([
  ['the archive as CSV', () => exportArchive({ pool }, 'csv', {})],
  ['the archive as GeoParquet', () => exportArchive({ pool }, 'geoparquet', {})],
  ['a storm day', () => exportStormDay({ pool }, { team }, { date: '2026-05-20' })],
])('a fault in the first page of %s comes before anything was sent', async (_what, open) => {
  await expect(open().next()).rejects.toThrow('the database is gone')
})
