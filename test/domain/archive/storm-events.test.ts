import { describe, expect, it } from 'vitest'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { type DetailsRow, details, detailsLine, detailsText, locations2019, present, readText, recordsOf, skipped } from './files.ts'

/** Returns the one record of one row. */
async function recordOf(row: DetailsRow, file_name?: string): Promise<ArchiveRecord> {
  const { records, rejections } = await readText(detailsText(row), file_name)
  expect(rejections).toEqual([])
  return records[0] as ArchiveRecord
}

const reasonOf = async (row: DetailsRow) => (await readText(detailsText(row))).rejections[0]

describe('the time', () => {
  it('is local standard time, so a summer evening is an hour later in local time', async () => {
    const record = await recordOf({
      BEGIN_YEARMONTH: '201905',
      BEGIN_DAY: '28',
      BEGIN_TIME: '810',
      END_YEARMONTH: '201905',
      END_DAY: '28',
      END_TIME: '5',
    })
    expect(record).toMatchObject({
      occurred_on: '2019-05-28',
      begins_at: new Date('2019-05-28T14:10:00Z'),
      ends_at: null,
      time_unsure: false,
    })
  })

  it('is on the next local date after 23:00 standard time in summer, and the description names the filing date', async () => {
    const late = { BEGIN_YEARMONTH: '201905', BEGIN_DAY: '28', BEGIN_TIME: '2315' }
    expect(await recordOf(late)).toMatchObject({
      occurred_on: '2019-05-29',
      description: 'Hail fell. Filed by the source under 2019-05-28, local standard time.',
    })
    expect((await readText(detailsText(late))).months).toEqual(['2019-05'])
    expect(await recordOf({ BEGIN_YEARMONTH: '199506', BEGIN_DAY: '9', BEGIN_TIME: '9', CZ_TIMEZONE: 'EDT' })).toMatchObject({
      occurred_on: '1995-06-08',
      description: 'Hail fell. Filed by the source under 1995-06-09, local daylight time.',
    })
    expect(await recordOf({ BEGIN_TIME: '2315', BEGIN_YEARMONTH: '201901' })).toMatchObject({
      occurred_on: '2019-01-24',
      description: 'Hail fell.',
    })
  })

  it('gives the date in the time zone of the point or county, whatever zone the row states', async () => {
    const elPaso = { BEGIN_LAT: '31.76', BEGIN_LON: '-106.49', BEGIN_TIME: '30', BEGIN_YEARMONTH: '201901' }
    expect(await recordOf({ ...elPaso, CZ_TIMEZONE: 'CST-6' })).toMatchObject({
      begins_at: new Date('2019-01-24T06:30:00Z'),
      occurred_on: '2019-01-23',
    })
    expect(await recordOf({ ...elPaso, CZ_FIPS: '141', BEGIN_LAT: '', BEGIN_LON: '' })).toMatchObject({
      precision: 'county',
      county: 'El Paso',
      occurred_on: '2019-01-23',
    })
  })

  it.each([
    ['EST', 'NEW YORK', '2019-03-24T22:35:00Z'],
    ['EDT', 'NEW YORK', '2019-03-24T21:35:00Z'],
    ['CSt', 'TEXAS', '2019-03-24T23:35:00Z'],
    ['CSC', 'TEXAS', '2019-03-24T23:35:00Z'],
    ['SCT', 'TEXAS', '2019-03-24T23:35:00Z'],
    ['AST-4', 'PUERTO RICO', '2019-03-24T21:35:00Z'],
    ['AKST-9', 'ALASKA', '2019-03-25T02:35:00Z'],
    ['HST-10', 'HAWAII', '2019-03-25T03:35:00Z'],
    ['SST-11', 'AMERICAN SAMOA', '2019-03-25T04:35:00Z'],
    ['GST10', 'GUAM', '2019-03-24T07:35:00Z'],
  ])('accepts the zone %s', async (CZ_TIMEZONE, STATE, begins_at) => {
    expect((await recordOf({ CZ_TIMEZONE, STATE })).begins_at).toEqual(new Date(begins_at))
  })

  it.each(['XYZ', 'CST-5', '', 'UNK'])('refuses the zone "%s" by name', async (CZ_TIMEZONE) => {
    expect(await reasonOf({ CZ_TIMEZONE, EVENT_ID: '77' })).toEqual({
      row: 'line 2, EVENT_ID 77',
      reason: `CZ_TIMEZONE "${CZ_TIMEZONE}" is not known`,
      source_key: '2019/77',
    })
  })

  it('reads the PST of all wind of 1992 as Central time in every state, and marks it as unsure', async () => {
    const wind = { EVENT_TYPE: 'Thunderstorm Wind', BEGIN_YEARMONTH: '199206', END_YEARMONTH: '199206', CZ_TIMEZONE: 'PST' }
    const central = { begins_at: new Date('1992-06-24T23:35:00Z'), time_unsure: true }
    expect(await recordOf(wind)).toMatchObject(central)
    const erie = { STATE: 'PENNSYLVANIA', CZ_NAME: 'ERIE', CZ_FIPS: '49', BEGIN_LAT: '42.1', BEGIN_LON: '-80.1', END_LAT: '', END_LON: '' }
    expect(await recordOf({ ...wind, ...erie })).toMatchObject(central)
    const pacific = { begins_at: new Date('1992-06-25T01:35:00Z'), time_unsure: false, caveats: [] }
    // All tornadoes of that year with this zone were in states of Pacific time.
    expect(await recordOf({ ...wind, EVENT_TYPE: 'Tornado', TOR_F_SCALE: 'F0' })).toMatchObject(pacific)
    expect(await recordOf({ ...wind, BEGIN_YEARMONTH: '199106' })).toMatchObject({
      begins_at: new Date('1991-06-25T01:35:00Z'),
      time_unsure: false,
    })
  })

  it.each([
    { BEGIN_DAY: '31', BEGIN_YEARMONTH: '201902' },
    { BEGIN_TIME: '2460' },
    { BEGIN_TIME: '1275' },
    { BEGIN_YEARMONTH: '201913' },
    { BEGIN_TIME: 'noon' },
  ])('refuses a day or time that does not exist: %j', async (row) => {
    expect((await reasonOf(row))?.reason).toMatch(/beginning does not exist|give no date and time/)
  })
})

describe('the magnitude', () => {
  const wind = { EVENT_TYPE: 'Thunderstorm Wind' }

  it('converts knots to whole miles an hour, with gusts and sustained wind separate', async () => {
    const read = async (MAGNITUDE: string, MAGNITUDE_TYPE: string) => {
      const { wind_gust_mph, wind_speed_mph, qualifier } = await recordOf({ ...wind, MAGNITUDE, MAGNITUDE_TYPE })
      return [wind_gust_mph, wind_speed_mph, qualifier]
    }
    expect(await read('50', 'EG')).toEqual([58, null, 'estimated'])
    expect(await read('52.00', 'MG')).toEqual([60, null, 'measured'])
    expect(await read('35', 'MS')).toEqual([null, 40, 'measured'])
    expect(await read('35', 'ES')).toEqual([null, 40, 'estimated'])
    expect(await read('70', '')).toEqual([81, null, 'unknown'])
    expect(await read('0', '')).toEqual([null, null, 'unknown'])
  })

  it('never marks hail as measured, and keeps its sizes as written', async () => {
    expect(await recordOf({ MAGNITUDE: '.75' })).toMatchObject({ hail_size_in: 0.75, qualifier: 'unknown', severity: 'minor' })
    expect(await recordOf({ MAGNITUDE: '' })).toMatchObject({ hail_size_in: null, severity: 'unknown' })
  })

  it('rates tornadoes F and EF alike, as surveyed only if the source is a survey', async () => {
    const tornado = { EVENT_TYPE: 'Tornado', MAGNITUDE: '' }
    expect(await recordOf({ ...tornado, TOR_F_SCALE: 'F2' })).toMatchObject({
      tornado_ef_scale: 2,
      qualifier: 'estimated',
      severity: 'extreme',
      description: 'Hail fell. Rated F2 by the source.',
    })
    expect(await recordOf({ ...tornado, TOR_F_SCALE: 'EF1', SOURCE: 'NWS Storm Survey' })).toMatchObject({
      tornado_ef_scale: 1,
      qualifier: 'surveyed',
    })
    expect(await recordOf({ ...tornado, TOR_F_SCALE: 'EFU' })).toMatchObject({ tornado_ef_scale: null, severity: 'severe' })
    expect(await recordOf({ ...tornado, MAGNITUDE: '55' })).toMatchObject({ wind_gust_mph: null })
  })

  it('states the width of a tornado in yards, unless it is 0, not a number or wider than any on record', async () => {
    const widthOf = async (TOR_WIDTH: string, EVENT_TYPE = 'Tornado') =>
      (await recordOf({ EVENT_TYPE, MAGNITUDE: '', TOR_WIDTH })).tornado_width_yd
    expect(await Promise.all(['4576', '33.5', '5280'].map((width) => widthOf(width)))).toEqual([4576, 33.5, 5280])
    expect(await Promise.all(['', '0', '-5', 'wide', '5281'].map((width) => widthOf(width)))).toEqual([null, null, null, null, null])
    expect(await widthOf('300', 'Hail')).toBeNull()
  })

  it('counts as from an instrument only if an instrument measured it', async () => {
    const kind = async (SOURCE: string, MAGNITUDE_TYPE: string) => (await recordOf({ ...wind, SOURCE, MAGNITUDE_TYPE })).evidence_kind
    for (const source of [
      'ASOS',
      'AWOS',
      'Mesonet',
      'COOP Observer',
      'C-MAN Station',
      'Buoy',
      'Official NWS Observations',
      'OFFICIAL NWS OBS.',
    ]) {
      expect([source, await kind(source, 'MG')]).toEqual([source, 'instrument'])
    }
    expect(await kind('ASOS', 'EG')).toBe('ground')
    expect(await kind('Trained Spotter', 'MG')).toBe('ground')
  })

  it('has no qualifier if the type has no magnitude', async () => {
    expect(await recordOf({ EVENT_TYPE: 'Lightning', MAGNITUDE: '' })).toMatchObject({ qualifier: null, severity: 'minor' })
  })

  it.each([
    { MAGNITUDE: 'big' },
    { MAGNITUDE: '-1' },
    { EVENT_TYPE: 'Tornado', TOR_F_SCALE: 'F9' },
    { ...wind, MAGNITUDE_TYPE: 'XX' },
    { ...wind, MAGNITUDE_TYPE: 'toString' },
  ])('refuses %j', async (row) => {
    expect((await reasonOf(row))?.reason).toMatch(/not a size|not a rating|not known/)
  })
})

describe('the place', () => {
  const away = { END_LAT: '33.20', END_LON: '-96.70' }
  const withoutCoordinates = { BEGIN_LAT: '', BEGIN_LON: '', END_LAT: '', END_LON: '' }

  it('is a path only for a tornado that moved', async () => {
    expect(await recordOf({ EVENT_TYPE: 'Tornado', ...away })).toMatchObject({ precision: 'path', latitude: 33.15, end_longitude: -96.7 })
    expect(await recordOf({ EVENT_TYPE: 'Tornado' })).toMatchObject({ precision: 'point' })
    expect(await recordOf({ EVENT_TYPE: 'Hail', ...away })).toMatchObject({ precision: 'point', end_latitude: 33.2 })
    expect(await recordOf({ EVENT_TYPE: 'Flood', MAGNITUDE: '', ...away })).toMatchObject({ precision: 'point' })
  })

  it('is the county of a county row without a point, found by state name, because the files use other numbers for territories', async () => {
    expect(await recordOf(withoutCoordinates)).toMatchObject({
      precision: 'county',
      county_fips: '48085',
      county: 'Collin',
      zone: null,
      latitude: null,
    })
    expect(
      await recordOf({ ...withoutCoordinates, STATE: 'PUERTO RICO', STATE_FIPS: '99', CZ_FIPS: '1', CZ_TIMEZONE: 'AST-4' }),
    ).toMatchObject({
      county_fips: '72001',
      state: 'PR',
    })
    expect(await recordOf({ ...withoutCoordinates, CZ_FIPS: '999', CZ_NAME: 'OLD ST. MARY' })).toMatchObject({ county: 'Old St. Mary' })
    expect(await recordOf({ ...withoutCoordinates, CZ_FIPS: '999', CZ_NAME: 'ELSEWHERE' })).toMatchObject({ county: 'Elsewhere' })
  })

  it('is the zone of a zone row without a point, never a county', async () => {
    expect(await recordOf({ ...withoutCoordinates, CZ_TYPE: 'Z', CZ_FIPS: '5' })).toMatchObject({
      precision: 'zone',
      zone: 'TXZ005',
      county_fips: null,
      county: null,
    })
    expect(await recordOf({ CZ_TYPE: 'Z', CZ_FIPS: '5' })).toMatchObject({ precision: 'point', zone: 'TXZ005', county: null })
    expect(await recordOf({ CZ_TYPE: 'Z', STATE: 'GULF OF MEXICO', STATE_FIPS: '85', BEGIN_LAT: '28', BEGIN_LON: '-90' })).toMatchObject({
      precision: 'point',
      state: null,
      zone: null,
    })
  })

  it('keeps the record’s own county if the point is in another, and marks the mismatch', async () => {
    expect(await recordOf({ CZ_FIPS: '439', CZ_NAME: 'TARRANT' })).toMatchObject({
      county: 'Tarrant',
      county_fips: '48439',
      county_mismatch: true,
    })
    expect(await recordOf({})).toMatchObject({ county_mismatch: false })
    expect(await recordOf({ CZ_FIPS: '999' })).toMatchObject({ county_mismatch: null })
  })

  it.each([{ BEGIN_LAT: '133' }, { BEGIN_LON: '' }, { BEGIN_LAT: 'x' }, { BEGIN_LAT: 'x', BEGIN_LON: 'y' }, { END_LON: '-480' }])(
    'refuses a point off the Earth: %j',
    async (row) => {
      expect((await reasonOf(row))?.reason).toBe('its coordinates are not on the Earth')
    },
  )
})

describe('the description', () => {
  it('is the narrative, otherwise the episode’s, then the notes in order', async () => {
    expect((await recordOf({ EVENT_NARRATIVE: ' ', EPISODE_NARRATIVE: 'A front.' })).description).toBe('A front.')
    expect((await recordOf({ EVENT_NARRATIVE: '' })).description).toBe('')
    const row = {
      EVENT_TYPE: 'TORNADOES, TSTM WIND, HAIL',
      MAGNITUDE: '0',
      TOR_F_SCALE: 'F1',
      BEGIN_YEARMONTH: '199305',
      BEGIN_TIME: '2330',
      CZ_TIMEZONE: 'CST',
      EVENT_NARRATIVE: '',
    }
    expect(await recordOf(row)).toMatchObject({
      type: 'tornado',
      description:
        'Source type: TORNADOES, TSTM WIND, HAIL. Rated F1 by the source. Filed by the source under 1993-05-24, local standard time.',
    })
  })

  it('keeps hostile text as text', async () => {
    expect((await recordOf({ EVENT_NARRATIVE: '<script>alert("x")</script>,\r\n=cmd' })).description).toBe(
      '<script>alert("x")</script>,\n=cmd',
    )
  })

  it('cites the page of the event', async () => {
    expect(await recordOf({ EVENT_ID: '801726' })).toMatchObject({
      source_key: '2019/801726',
      citation_url: 'https://www.ncdc.noaa.gov/stormevents/eventdetails.jsp?id=801726',
      compiled_on: '2019-06-17',
    })
  })
})

describe('a file', () => {
  it('may have spaces around the names of its columns', async () => {
    const [header = '', ...rows] = detailsText({ EVENT_TYPE: 'Tornado', MAGNITUDE: '', TOR_F_SCALE: 'EF1', TOR_WIDTH: '200' }).split('\n')
    const { records, rejections } = await readText([header.split(',').join(' , '), ...rows].join('\n'))
    expect(rejections).toEqual([])
    expect(records).toMatchObject([{ type: 'tornado', tornado_ef_scale: 1, tornado_width_yd: 200 }])
  })

  it('takes its compile date from its name, if that is a real date', async () => {
    const compiled = async (day: string) => (await readText(detailsText({}), details(2019, day))).records[0]?.compiled_on
    expect([await compiled('20200229'), await compiled('20190229'), await compiled('00000101')]).toEqual(['2020-02-29', null, null])
  })

  it('names each unusable row and keeps the others', async () => {
    const rows = ['1', '2', '3'].map((EVENT_ID) => detailsLine({ EVENT_ID }))
    const text = `${detailsText().trim()}\n${rows[0]}\nnot,a,row\n${rows[1]?.replace('"Hail fell."', '"Hail fell.')}\n${rows[2]}\n`
    const { records, rejections, rows: counted } = await readText(text)
    expect(records.map(({ source_key }) => source_key)).toEqual(['2019/1', '2019/3'])
    expect(rejections.map(({ row, reason }) => [row, reason])).toEqual([
      ['line 3', '3 fields where the header has 51'],
      ['line 4, EVENT_ID 2', 'a quote is opened and never closed'],
    ])
    expect(counted).toBe(4)
  })

  it.each([
    ['', 'The file is empty.'],
    ['a,b\n1,2\n', 'This is not a Storm Events file: its first line does not name the columns of one.'],
    ['FAT_YEARMONTH,FATALITY_ID,EVENT_ID\n', 'A fatalities file has no events of its own: import the details file of its year.'],
    [detailsText().replace('CZ_TIMEZONE', 'ZONE'), 'The file has no column CZ_TIMEZONE.'],
    [detailsText().replace('CATEGORY', 'MAGNITUDE'), 'The file has the column MAGNITUDE twice.'],
  ])('that is not a Storm Events file is refused: %j', async (text, sentence) => {
    await expect(readText(text)).rejects.toMatchObject({ code: 'validation_failed', details: { errors: { file: [sentence] } } })
  })
})

/** Types such as "THUNDERSTORM WINDS LIGHTNING", none with a speed. */
const COMPOSITES_OF_1995 = 13

describe.skipIf(!present)(`the agency's own files${skipped}`, () => {
  const count = (records: ArchiveRecord[], test: (record: ArchiveRecord) => boolean) => records.filter(test).length

  it('of 2019 include the hail of 24 March', async () => {
    const records = await recordsOf(details(2019))
    expect(records).toHaveLength(15_447)
    const hail = records.filter(({ type, state }) => type === 'hail' && state === 'TX')
    const onThatDay = hail.filter(({ occurred_on, description }) =>
      occurred_on === '2019-03-24' ? !description.includes('Filed') : description.includes('under 2019-03-24,'),
    )
    expect(onThatDay).toHaveLength(49)
    expect(
      hail.filter(({ county, hail_size_in }) => county === 'Collin' && hail_size_in === 2.75).map(({ source_key }) => source_key),
    ).toEqual(['2019/813145'])
    expect(count(records, ({ precision }) => precision === 'zone')).toBe(11_515)
    expect(count(records, ({ type, qualifier }) => type === 'tornado' && qualifier === 'surveyed')).toBe(160)
    expect(count(records, ({ type, qualifier }) => type === 'hail' && qualifier === 'unknown')).toBe(573)
    // The agency's own narratives confirm the column's unit: 31 state a width in yards, and none in feet.
    const narrated = records
      .filter(({ type }) => type === 'tornado')
      .flatMap(({ description, tornado_width_yd }) =>
        [...description.matchAll(/(?:width|wide)[^.]{0,40}?(\d[\d,]*) ?(?:yards|yds)/gi)].map(([, yards = '']) => [
          Number(yards.replaceAll(',', '')),
          tornado_width_yd,
        ]),
      )
    expect(narrated).toHaveLength(31)
    expect(narrated.filter(([described, stated]) => described === stated)).toHaveLength(29)
  })

  it('of 1991 include wind of unknown speed', async () => {
    const records = await recordsOf(details(1991))
    expect(records).toHaveLength(12_516)
    expect(count(records, ({ type, wind_gust_mph }) => type === 'thunderstorm_wind' && wind_gust_mph === null)).toBe(4_912)
    expect(count(records, ({ type, precision }) => type === 'tornado' && precision === 'path')).toBe(278)
    expect(count(records, ({ precision }) => precision === 'county')).toBe(0)
  })

  it('of 1992 have an unsure time in half their rows', async () => {
    const records = await recordsOf(details(1992))
    expect(count(records, ({ time_unsure }) => time_unsure)).toBe(6_443)
    const texan = records.find(({ time_unsure, state }) => time_unsure && state === 'TX')
    expect(texan?.occurred_on).toBe(new Date((texan?.begins_at.getTime() ?? 0) - 6 * 3_600_000).toISOString().slice(0, 10))
  })

  it('of 1993 name a county in nearly every row', async () => {
    const records = await recordsOf(details(1993))
    expect(records).toHaveLength(8_664)
    expect(count(records, ({ precision }) => precision === 'county')).toBe(8_221)
    // Labelled as counties, but they are forecast zones or counties that are not on the map.
    expect(count(records, ({ precision }) => precision === 'zone')).toBe(18)
    expect(count(records, ({ precision, type }) => precision !== 'county' && precision !== 'zone' && type !== 'tornado')).toBe(0)
  })

  it('of 1990, 1994 and 1995 are read to the last row', async () => {
    expect(await recordsOf(details(1990))).toHaveLength(10_945)
    expect(await recordsOf(details(1994))).toHaveLength(15_627)
    const last = await recordsOf(details(1995))
    expect(last).toHaveLength(20_461)
    expect(count(last, ({ type, wind_gust_mph }) => type === 'thunderstorm_wind' && wind_gust_mph === null)).toBe(
      8_392 + COMPOSITES_OF_1995,
    )
  })

  it("keep the agency's characters: degree signs, and its own replacement characters", async () => {
    const nonAsciiDescriptions = async (file: string) =>
      (await recordsOf(file)).map(({ description }) => description).filter((text) => /[^\0-\x7f]/.test(text))
    const [older, newer] = [await nonAsciiDescriptions(details(1995)), await nonAsciiDescriptions(details(2019))]
    expect([older.length, newer.length]).toEqual([14, 42])
    expect(new Set([...older.join('')].filter((letter) => letter > '\x7f'))).toEqual(new Set(['°']))
    expect(new Set([...newer.join('')].filter((letter) => letter > '\x7f'))).toEqual(new Set(['\ufffd']))
  })

  it('exported from the search page state the same under other names', async () => {
    const exported = await recordsOf('search-export_TX-Tarrant_hail_1999-2023.csv')
    expect(exported).toHaveLength(500)
    expect(count(exported, ({ county_mismatch }) => county_mismatch === true)).toBe(26)
    const recordsByKey = new Map((await recordsOf(details(2019))).map((record) => [record.source_key, record]))
    const shared = exported.filter(({ source_key }) => recordsByKey.has(source_key))
    expect(shared.length).toBeGreaterThan(0)
    for (const record of shared) {
      const { type, begins_at, occurred_on, hail_size_in, county_fips, reporter } = record
      expect(recordsByKey.get(record.source_key)).toMatchObject({ type, begins_at, occurred_on, hail_size_in, county_fips, reporter })
    }
    expect(await recordsOf('search-export_PA-Erie_all_2015-2020.csv')).toHaveLength(141)
  })

  it('of corners contain no records', async () => {
    expect(await recordsOf(locations2019)).toEqual([])
  })
})
