import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readProduct } from '#domain/archive/products/product.ts'
import { readAlerts } from '#domain/archive/warnings/alerts.ts'
import { polygonFault } from '#domain/archive/warnings/polygon-fault.ts'
import { readWarningProduct, segmentSpans } from '#domain/archive/warnings/product-text.ts'
import { areasOf, expandCodes, statesOf } from '#domain/archive/warnings/ugc.ts'
import { endsWarning, findVtec, isWatched } from '#domain/archive/warnings/vtec.ts'
import { readThreats } from '#domain/archive/warnings/warning.ts'
import { processorMs } from '#test/support/processor.ts'

const real = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data')
const present = existsSync(real)
const NOW = new Date('2026-07-15T20:00:00Z')

describe('event codes', () => {
  it('expand ranges and wrapped lists', () => {
    expect(expandCodes('TXC439-441-NMZ001>003-120045-')).toEqual(['TXC439', 'TXC441', 'NMZ001', 'NMZ002', 'NMZ003'])
  })

  it('expand to no more areas than any real segment', () => {
    expect(expandCodes(`TXC${'001>999-'.repeat(1_000)}`).length).toBeLessThanOrEqual(2_000)
  })

  it('of Guam name the counties and zones of the Northern Mariana Islands', () => {
    const saipan = areasOf(['GUC110', 'GUZ004'])
    expect(saipan).toEqual({ county_fips: ['69110'], zones: ['GUZ004'] })
    expect([...statesOf(saipan)]).toEqual(['MP'])
    const both = areasOf(['GUC010', 'GUC100', 'GUZ001'])
    expect(both.county_fips).toEqual(['66010', '69100'])
    expect([...statesOf(both)]).toEqual(['GU', 'MP'])
    expect([...statesOf(areasOf(['GUZ001']))]).toEqual(['GU'])
  })

  it('are watched only for operational warnings over land', () => {
    const watched = (code: string) => findVtec(code).map(isWatched)
    expect(watched('/O.NEW.KFWD.SV.W.0142.250528T2310Z-250528T2345Z/')).toEqual([true])
    expect(watched('/T.NEW.KFWD.SV.W.0142.250528T2310Z-250528T2345Z/')).toEqual([false])
    expect(watched('/O.NEW.KFWD.SV.A.0142.250528T2310Z-250528T2345Z/')).toEqual([false])
    expect(watched('/O.NEW.KMFL.MA.W.0052.250528T2310Z-250528T2345Z/')).toEqual([false])
  })

  it('with an impossible time are ignored', () => {
    expect(findVtec('/O.NEW.KFWD.SV.W.0142.251328T2310Z-250528T2345Z/ /O.NEW.KFWD.SV.W.0142.250528T2310Z-250528T2561Z/')).toEqual([])
    expect(findVtec('/O.NEW.KFWD.SV.W.0142.250229T2310Z-250301T0000Z/ /O.NEW.KFWD.SV.W.0142.000000T2310Z-250528T2345Z/')).toEqual([])
    expect(findVtec('/O.EXT.KFWD.FL.W.0142.000000T0000Z-000000T0000Z/')).toMatchObject([{ begins_at: null, ends_at: null }])
    // Seattle on 8 January 2020: the begin was left open, not set to 2070.
    expect(findVtec('/O.EXT.KSEW.FL.W.0005.700101T0000Z-200108T1230Z/')).toMatchObject([
      { begins_at: null, ends_at: new Date('2020-01-08T12:30:00Z') },
    ])
  })

  it('are read fast from products with a lot of white space', async () => {
    const space = ' '.repeat(20_000)
    const office = `WUUS54 KFWD 052215\nSVRFWD\n\nBULLETIN\nNATIONAL WEATHER SERVICE FORT WORTH${space}TX  \n515 PM CDT THU JUN 05 2025\n`
    const code = `TXC113-052300-\n/O.NEW.KFWD.SV.W.0142.250605T2215Z-250605T2300Z/\n\nHAIL...1.00IN${space}OR LESS\n`
    const read = () =>
      expect(readWarningProduct(readProduct(`${office}\n${code}`))).toMatchObject([
        [{ office: { name: `NWS FORT WORTH${space}TX` }, threats: { max_hail_in: 1 } }],
      ])
    expect(await processorMs(read)).toBeLessThan(1000)
  })

  it('are in segments whose expiry is read only if it is a possible time', () => {
    const expiry = (code: string, sent = '311200', date = 'FRI JAN 31 2025') => {
      const head = `WUUS54 KFWD ${sent}\nSVRFWD\n\n600 AM CST ${date}\n\n`
      const read = readWarningProduct(readProduct(`${head}TXC113-${code}-\n/O.CON.KFWD.SV.W.0142.000000T0000Z-000000T0000Z/\n`))
      return read[0]?.[0]?.expires_at?.toISOString() ?? null
    }
    expect(expiry('311245')).toBe('2025-01-31T12:45:00.000Z')
    expect(expiry('010030')).toBe('2025-02-01T00:30:00.000Z')
    expect(expiry('300030')).toBeNull()
    expect(expiry('000030')).toBeNull()
    expect(expiry('312400')).toBeNull()
    expect(expiry('311260')).toBeNull()
    expect(expiry('301200', '281200', 'FRI FEB 28 2025')).toBeNull()
    expect(expiry('010030', '311200', 'WED DEC 31 2025')).toBe('2026-01-01T00:30:00.000Z')
  })

  it('are in segments that expired at most a day before they were sent, never a month later', () => {
    const expiry = (code: string, sent: string, date: string) => {
      const head = `WUUS54 KFWD ${sent}\nSVSFWD\n\n601 PM CST ${date}\n\n`
      const read = readWarningProduct(readProduct(`${head}TXC113-${code}-\n/O.EXP.KFWD.SV.W.0142.000000T0000Z-250115T2345Z/\n`))
      return read[0]?.[0]?.expires_at?.toISOString()
    }
    expect(expiry('152355', '160001', 'WED JAN 15 2025')).toBe('2025-01-15T23:55:00.000Z')
    expect(expiry('312355', '010001', 'FRI JAN 31 2025')).toBe('2025-01-31T23:55:00.000Z')
    // An expiry days before sending is a mistake: the event's own end is used.
    expect(expiry('132355', '160001', 'WED JAN 15 2025')).toBe('2025-01-15T23:45:00.000Z')
  })

  it('are in products that give the time in two time zones', () => {
    const sent = (date: string) => readProduct(`WTUS82 KTAE 261459\nTCVTAE\n\n${date}\n`)
    for (const date of [
      '1059 AM EDT Thu Sep 26 2024 /959 AM CDT Thu Sep 26 2024/',
      '1059 AM EDT /959 AM CDT/ Thu Sep 26 2024',
      '1059 AM EDT (959 AM CDT) Thu Sep 26 2024',
    ])
      expect(sent(date)).toMatchObject({ sent_at: new Date('2024-09-26T14:59:00Z'), offset_hours: -4 })
  })

  it('are in segments that give a bound for a gust, or gust and size together', () => {
    const threats = (tags: string) => {
      const head = 'WUUS53 KFSD 151807\nSVRFSD\n\n107 PM CDT MON JUL 15 2013\n\n'
      return readWarningProduct(readProduct(`${head}IAC141-151845-\n/O.NEW.KFSD.SV.W.0142.130715T1807Z-130715T1845Z/\n\n${tags}\n`))[0]?.[0]
        ?.threats
    }
    expect(threats('HAIL...1.25IN\nWIND...<50MPH')).toMatchObject({ max_hail_in: 1.25, max_gust_mph: null })
    expect(threats('HAIL...<.75IN\nWIND...>60MPH')).toMatchObject({ max_hail_in: null, max_gust_mph: 60 })
    expect(threats('WIND...HAIL 60MPH 1.00IN')).toMatchObject({ max_hail_in: 1, max_gust_mph: 60 })
    expect(threats('WIND...HAIL <50MPH 1.75IN')).toMatchObject({ max_hail_in: 1.75, max_gust_mph: null })
    expect(threats('WIND...HAIL 60MPH <.75IN')).toMatchObject({ max_hail_in: null, max_gust_mph: 60 })
  })

  it('are in segments whose polygon continues without an indent or is in lower case', () => {
    const head = 'WUUS53 KDMX 072205\nTORDMX\n\n505 PM CDT SAT JUN 7 2025\n\n'
    const code = 'IAC013-072245-\n/O.NEW.KDMX.TO.W.0042.250607T2205Z-250607T2245Z/\n\n'
    const polygon = (lines: string) =>
      readWarningProduct(readProduct(`${head}${code}${lines}\nTIME...MOT...LOC 2205Z 240DEG 30KT 4210 9240\n`))[0]?.[0]
    const complete = polygon('LAT...LON 4230 9240 4230 9220 4250 9220\n      4250 9240')
    expect(complete?.geometry?.coordinates[0]).toHaveLength(5)
    expect(polygon('LAT...LON 4230 9240 4230 9220 4250 9220\n4250 9240 ')?.geometry).toEqual(complete?.geometry)
    expect(polygon('Lat...Lon 4230 9240 4230 9220 4250 9220 4250 9240')?.geometry).toEqual(complete?.geometry)
    expect(polygon(' LAT...LON 4230 9240 4230 9220 4250 9220\n 4250 9240')?.geometry).toEqual(complete?.geometry)
  })

  it('are in segments that are marked as ended before their polygon', () => {
    const head = 'WUUS53 KDMX 072205\r\r\nTORDMX\r\r\n\r\r\n505 PM CDT SAT JUN 7 2025\r\r\n\r\r\n'
    const segment = (county: string, number: string) =>
      `IAC${county}-072245-\r\r\n/O.NEW.KDMX.TO.W.${number}.250607T2205Z-250607T2245Z/\r\r\n\r\r\n`
    const polygon = (east: number) => `LAT...LON 4230 ${east + 20} 4230 ${east} 4250 ${east}\r\r\n      4250 ${east + 20}\r\r\n`
    for (const end of ['$$\r\r\n\r\r\n', '\u0002$$\r\r\n\u0000\r\r\n', '$$\r\r\n ']) {
      const raw = `${head}${segment('013', '0042')}${end}${polygon(9220)}HAIL...1.00IN\r\r\n\r\r\n$$\r\r\n\r\r\n${segment('017', '0043')}${polygon(9260)}$$\r\r\n`
      const [first, second, ...rest] = readWarningProduct(readProduct(raw))
      expect(first).toMatchObject([{ county_fips: ['19013'], threats: { max_hail_in: 1 }, polygon_fault: null }])
      expect(first?.[0]?.geometry?.coordinates[0]).toContainEqual([-92.2, 42.3])
      expect(second?.[0]?.geometry?.coordinates[0]).toContainEqual([-92.6, 42.3])
      expect(rest).toEqual([[]])
      const spans = segmentSpans(raw)
      expect(spans).toHaveLength(3)
      const { start = 0, length = 0 } = spans[0] ?? {}
      expect(raw.slice(start, start + length)).toMatch(/HAIL\.\.\.1\.00IN$/)
    }
  })

  it('are in products whose header must give a possible time', () => {
    const sent = (header: string) => readProduct(`WUUS54 KFWD ${header}\nSVRFWD\n\n600 AM CST FRI JAN 31 2025\n`).sent_at.toISOString()
    expect(sent('311203')).toBe('2025-01-31T12:03:00.000Z')
    // The header's day and the date line's day differ by a typing error: the date line is used.
    expect(sent('151203')).toBe('2025-01-31T12:00:00.000Z')
    for (const header of ['312503', '311275', '321203', '001203', '152503'])
      expect(() => sent(header)).toThrow('the header line has no valid time')
  })

  it('end at their own end time if the segment gives an impossible time', () => {
    const head = 'WUUS54 KFWD 302215\nSVRFWD\n\n515 PM CDT SAT MAY 30 2026\n\n'
    const segment = 'TXC113-302275-\n/O.NEW.KFWD.SV.W.0142.260530T2215Z-260530T2300Z/\n'
    expect(readWarningProduct(readProduct(head + segment)).flat()[0]?.expires_at).toEqual(new Date('2026-05-30T23:00:00Z'))
  })

  it('give a size only if the tag does', () => {
    expect(readThreats({ hail_size: 'Up to .75' }).max_hail_in).toBeNull()
    expect(readThreats({ hail_size: '<.75IN' }).max_hail_in).toBeNull()
    expect(readThreats({ hail_size: '0.00' }).max_hail_in).toBeNull()
    expect(readThreats({ hail_size: '175 IN', gust: '600 MPH' })).toMatchObject({ max_hail_in: null, max_gust_mph: null })
    expect(readThreats({ hail_size: '1.75', hail_basis: 'RADAR INDICATED', gust: '70 MPH', damage: 'CONSIDERABLE' })).toMatchObject({
      max_hail_in: 1.75,
      hail_basis: 'radar_indicated',
      max_gust_mph: 70,
      damage: 'considerable',
    })
  })
})

describe.skipIf(!present)(`the agency's own messages${present ? '' : ' (skipped: real records not present)'}`, () => {
  it('turn every code of the three alert collections, and no other, into a message', () => {
    const expected: Record<string, number> = {}
    const counted: Record<string, number> = {}
    let alerts = 0
    let without = 0
    for (const name of readdirSync(path.join(real, 'nws-alerts'))) {
      const text = gunzipSync(readFileSync(path.join(real, 'nws-alerts', name))).toString()
      for (const [, code] of text.matchAll(/"\/[OTEX]\.[A-Z]{3}\.[A-Z]{4}\.([A-Z]{2}\.[A-Z])\./g))
        expected[code as string] = (expected[code as string] ?? 0) + 1
      const body = JSON.parse(filled(text))
      const read = readAlerts(body)
      alerts += body.features.length
      without += read.without_code
      expect(read.rejected).toEqual([])
      for (const message of read.messages) {
        const code = `${message.phenomenon}.${message.significance}`
        counted[code] = (counted[code] ?? 0) + 1
      }
    }
    expect(alerts).toBe(1171)
    expect(without).toBe(173)
    expect(counted).toEqual(expected)
  })

  it('give all fields of a severe thunderstorm warning', () => {
    const text = gunzipSync(readFileSync(path.join(real, 'nws-alerts', 'active_20260715_air-quality-alerts.json.gz'))).toString()
    const messages = readAlerts(JSON.parse(filled(text))).messages.filter(({ phenomenon }) => phenomenon === 'SV')
    expect(messages).toHaveLength(2)
    expect(messages[0]).toMatchObject({
      source_key: 'KBGM.SV.W.0113.2026',
      action: 'NEW',
      event: 'Severe Thunderstorm Warning',
      severity: 'severe',
      certainty: 'observed',
      urgency: 'immediate',
      issued_at: new Date('2026-07-15T19:52:00Z'),
      office: { id: 'KBGM', name: 'NWS Binghamton NY' },
      message_key: '202607151952-KBGM-WUUS51-SVRBGM/O.NEW.KBGM.SV.W.0113.260715T1952Z-260715T2030Z/PAC079',
      county_fips: ['42079'],
      polygon_fault: null,
      threats: {
        max_hail_in: 1,
        hail_basis: 'radar_indicated',
        max_gust_mph: 60,
        wind_basis: 'radar_indicated',
        tornado: null,
        flash_flood: null,
        damage: null,
      },
      citation_url: 'https://mesonet.agron.iastate.edu/p.php?pid=202607151952-KBGM-WUUS51-SVRBGM',
    })
  })

  it('have positive longitudes for Guam', () => {
    const [warning] = readWarningProduct(product('FFW_FFW_tags.txt')).flat()
    expect(warning).toMatchObject({
      source_key: 'PGUM.FF.W.0014.2018',
      county_fips: ['69100', '69110', '69120'],
      expires_at: new Date('2018-10-25T00:15:00Z'),
    })
    expect(warning?.geometry).toMatchObject({ coordinates: [expect.arrayContaining([[145.8, 15.16]])] })
    expect(warning?.threats).toMatchObject({ flash_flood: 'observed', damage: 'catastrophic' })
  })

  it('give each segment of an update, including the open begin of its codes', () => {
    const messages = readWarningProduct(product('TORE_SVS_E.txt')).flat()
    expect(messages.map(({ source_key, action, area }) => [source_key, action, area])).toEqual([
      ['KDMX.TO.W.0043.2018', 'CAN', 'Story, IA'],
      ['KDMX.TO.W.0043.2018', 'CON', 'Hardin, IA; Marshall, IA; Grundy, IA'],
    ])
    expect(messages[1]).toMatchObject({
      ends_at: new Date('2018-07-19T21:45:00Z'),
      threats: { tornado: 'radar_indicated', max_hail_in: null },
    })
  })

  it('give a polygon to every product that has both a code and a polygon, and no message without a code', () => {
    const unread: string[] = []
    for (const name of readdirSync(path.join(real, 'nws-text'))) {
      const { text } = product(name)
      const codes = [...text.matchAll(/^\/[OTEX]\.[A-Z]{3}\./gm)].length
      if (codes === 0) {
        expect(() => readWarningProduct(product(name)), name).toThrow(/has no event code \(VTEC\)/)
        unread.push(name)
        continue
      }
      const messages = readWarningProduct(product(name)).flat()
      expect(messages.length, name).toBe(codes)
      for (const { geometry, polygon_fault } of messages) expect([geometry !== null, polygon_fault], name).toEqual([true, null])
    }
    expect(unread).toEqual(['SVR_SVRILN_mnd_timestamp.txt', 'TOROUN.txt'])
  })

  it('contain one implausible polygon', () => {
    const texts = readdirSync(path.join(real, 'nws-text')).flatMap((name) => warningsIn(product(name)))
    const alerts = readdirSync(path.join(real, 'nws-alerts')).flatMap((name) => {
      const text = gunzipSync(readFileSync(path.join(real, 'nws-alerts', name))).toString()
      return readAlerts(JSON.parse(filled(text))).messages
    })
    const watched = [...texts, ...alerts].filter(({ vtec, action }) => findVtec(vtec).some(isWatched) && !endsWarning(action))
    const faults = watched.flatMap(({ geometry, source_key, office, county_fips }) => {
      const fault = geometry && polygonFault(geometry, { office_id: office.id, county_fips })
      return fault ? [`${source_key} ${fault}`] : []
    })
    expect(watched.filter(({ geometry }) => geometry).length).toBe(100)
    expect(faults).toEqual(['KLMK.SV.W.0012.2010 crosses itself'])
  })
})

/** The messages of a product; none for one without a code. */
function warningsIn(text: ReturnType<typeof product>) {
  return findVtec(text.text).length > 0 ? readWarningProduct(text).flat() : []
}

const product = (name: string) => readProduct(readFileSync(path.join(real, 'nws-text', name), 'latin1'))

/** The publisher of these collections replaced times by offsets from now. */
function filled(text: string): string {
  const seconds = { seconds: 1, second: 1, minutes: 60, minute: 60 }
  return text.replace(/date:now ([+-]\d+) (seconds?|minutes?)/g, (_, amount, unit: keyof typeof seconds) =>
    new Date(NOW.getTime() + Number(amount) * seconds[unit] * 1000).toISOString(),
  )
}
