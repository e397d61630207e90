import { readdir } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { syncStormEvents } from '#domain/archive/feeds/sync-storm-events.ts'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { withSource } from '#domain/archive/ingest/source-lock.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { details, detailsText, importText, locations2019, locationsText } from '../files.ts'

let world: World
let server: Server
let folder: string
/** The folder's files by name; a function writes the response itself. */
let files: Record<string, Buffer | ((answer: ServerResponse) => void)>
let requests: string[]

/** The agency's folder: an Apache listing with its sorting links, and its files. */
beforeEach(async () => {
  world = await openWorld()
  world.clock.set(new Date('2019-12-01T00:00:00Z'))
  files = {}
  requests = []
  server = createServer((request, answer) => {
    const name = (request.url as string).slice('/csvfiles/'.length)
    requests.push(name)
    if (name === '') return answer.end(listing(Object.keys(files)))
    const file = files[name]
    if (typeof file === 'function') return file(answer)
    answer.statusCode = file ? 200 : 404
    answer.setHeader('content-type', 'application/x-gzip')
    answer.end(file)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  folder = `http://127.0.0.1:${(server.address() as AddressInfo).port}/csvfiles/`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
  await world.close()
})

function listing(names: string[]): string {
  const rows = [...names, 'StormEvents_details-ftp_v1.0_d1950_c20210803.csv.gz', 'ugc_areas.csv', 'legacy/'].map(
    (name) =>
      `<tr><td><a href="${name}">${name.slice(0, 20)}..&gt;</a></td><td align="right">2019-06-17 10:01  </td><td align="right">2.5M</td></tr>`,
  )
  return `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">\n<html><head><title>Index of /pub/data/swdi/stormevents/csvfiles</title></head><body>
<table><tr><th><a href="?C=N;O=D">Name</a></th></tr>${rows.join('\n')}</table></body></html>`
}

const packed = (...rows: Parameters<typeof detailsText>) => gzipSync(detailsText(...rows))
const sync = (year = 2019) => syncStormEvents(world.app, year, { folder })
const storedRecords = async () =>
  (await world.app.pool.query('SELECT source_key, hail_size_in FROM archive_records WHERE withdrawn_at IS NULL ORDER BY source_key')).rows

describe('a year', () => {
  it('is updated to the newest compile in the folder, with its corners, and withdraws missing rows', async () => {
    await importText(world, detailsText({ EVENT_ID: '1' }, { EVENT_ID: '2' }), { file_name: details(2019, '20190517') })
    files[details(2019, '20190617')] = packed({ EVENT_ID: '7' })
    files[details(2019, '20190917')] = packed({ EVENT_ID: '1', MAGNITUDE: '3.00' }, { EVENT_ID: '3', EVENT_TYPE: 'Flood', MAGNITUDE: '' })
    files[locations2019.replace('20190617', '20190917')] = gzipSync(
      locationsText({
        '3': [
          [33, -96],
          [33, -96.1],
          [33.1, -96],
        ],
      }),
    )
    const summary = await sync()
    expect(summary).toMatchObject({
      year: 2019,
      up_to_date: false,
      imports: [
        { kind: 'records', compiled_on: '2019-09-17', inserted: 1, updated: 1, withdrawn: 1 },
        { kind: 'corners', inserted: 3 },
      ],
    })
    expect(await storedRecords()).toEqual([
      { source_key: '2019/1', hail_size_in: 3 },
      { source_key: '2019/3', hail_size_in: null },
    ])
    expect(requests).not.toContain(details(2019, '20190617'))
    files[locations2019.replace('20190617', '20191017')] = gzipSync(locationsText({ '4': [[33, -96]] }))
    expect(await sync()).toMatchObject({ imports: [{ kind: 'corners', inserted: 1, withdrawn: 3 }] })
    expect((await world.app.pool.query("SELECT precision, corners FROM archive_records WHERE source_key = '2019/3'")).rows).toEqual([
      { precision: 'point', corners: null },
    ])
  })

  it('never uses a compile dated in the future, except for one day of clock difference', async () => {
    files[details(2019, '20191202')] = packed({ EVENT_ID: '1' })
    files[details(2019, '20991202')] = packed({ EVENT_ID: '2' })
    files[details(2019, '20199999')] = packed({ EVENT_ID: '3' })
    expect(await sync()).toMatchObject({ imports: [{ compiled_on: '2019-12-02', inserted: 1 }] })
    expect((await storedRecords()).map(({ source_key }) => source_key)).toEqual(['2019/1'])
  })

  it('is read once per compile', async () => {
    files[details(2019)] = packed({})
    await sync()
    expect(await sync()).toEqual({ year: 2019, up_to_date: true, imports: [] })
    expect(requests).toEqual(['', details(2019), ''])
    files[details(2019, '20190917')] = packed({ MAGNITUDE: '1.00' })
    expect(await sync()).toMatchObject({ up_to_date: false, imports: [{ updated: 1 }] })
  })

  it('is read again if it was read before plausibility checks existed', async () => {
    files[details(2019)] = packed({})
    await sync()
    await world.app.pool.query('UPDATE archive_records SET caveats = NULL')
    expect(await sync(2018).catch(() => 'none')).toBe('none')
    expect(await sync()).toMatchObject({ up_to_date: false, imports: [{ updated: 0, unchanged: 1 }] })
    expect(await sync()).toMatchObject({ up_to_date: true })
  })

  it('is read again after it was deleted', async () => {
    files[details(2019)] = packed({})
    await sync()
    expect(await deleteSource(world.app, 'storm-events')).toMatchObject({ source: 'noaa_storm_events', records: 1, others: 0 })
    expect(await storedRecords()).toEqual([])
    expect(await sync()).toMatchObject({ imports: [{ inserted: 1 }] })
  })

  it('is downloaded before it waits for its source, so that the wait uses up none of the time for the download', async () => {
    // More than the buffers of a connection hold.
    const rows = Array.from({ length: 200 }, (_, row) => ({ EVENT_ID: String(row + 1), EVENT_NARRATIVE: 'Hail. '.repeat(20_000) }))
    let isSent = false
    files[details(2019)] = (answer) => answer.end(detailsText(...rows), () => (isSent = true))
    const done = await withSource(world.app, 'noaa_storm_events', async () => {
      const summary = sync()
      await expect.poll(() => isSent).toBe(true)
      expect(await storedRecords()).toEqual([])
      return { summary }
    })
    expect(await done.summary).toMatchObject({ imports: [{ inserted: 200 }] })
    expect(await readdir(path.join(world.app.config.home, 'arriving'))).toEqual([])
  })

  it('that the folder does not have, or that is out of range, is refused by name', async () => {
    await expect(sync(2018)).rejects.toMatchObject({
      code: 'validation_failed',
      details: { errors: { year: ['The folder has no details file of 2018.'] } },
    })
    await expect(sync(1949)).rejects.toMatchObject({ details: { errors: { year: ['The year must be from 1950 to 2019.'] } } })
  })
})

describe('a folder that fails', () => {
  it('with an error status is reported as unavailable, and existing records stay', async () => {
    await importText(world, detailsText({ EVENT_ID: '1' }), { file_name: details(2019, '20190517') })
    files[details(2019)] = (answer) => {
      answer.statusCode = 403
      answer.end()
    }
    await expect(sync()).rejects.toMatchObject({ code: 'engine_unavailable', details: { retry_after: 60 } })
    expect(await storedRecords()).toHaveLength(1)
  })

  it('in the middle of a file withdraws nothing, and the file is read again', async () => {
    await importText(world, detailsText({ EVENT_ID: '1' }), { file_name: details(2019, '20190517') })
    const complete = packed({ EVENT_ID: '2' })
    files[details(2019)] = (answer) => {
      answer.setHeader('content-length', complete.length)
      answer.write(complete.subarray(0, complete.length - 20), () => answer.destroy())
    }
    await expect(sync()).rejects.toMatchObject({ code: 'engine_unavailable' })
    expect((await storedRecords()).map(({ source_key }) => source_key)).toContain('2019/1')
    files[details(2019)] = complete
    await sync()
    expect((await storedRecords()).map(({ source_key }) => source_key)).toEqual(['2019/2'])
  })

  it('to respond at all is reported as unavailable', async () => {
    await expect(syncStormEvents(world.app, 2019, { folder: 'http://127.0.0.1:9/' })).rejects.toMatchObject({ code: 'engine_unavailable' })
  })
})
