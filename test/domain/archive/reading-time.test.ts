import { expect, test } from 'vitest'
import { decimalOf } from '#domain/archive/files/decimal.ts'
import { FILE_LINE_END, spansBetween } from '#domain/archive/files/span.ts'
import { findCorrected } from '#domain/archive/local-reports/corrections.ts'
import { readProduct } from '#domain/archive/products/product.ts'
import { readAlerts } from '#domain/archive/warnings/alerts.ts'
import { readWarningProduct } from '#domain/archive/warnings/product-text.ts'
import { readFeatureQuery } from '#domain/exports/archive/feature-query.ts'
import { countiesNamed } from '#domain/geo/county-names.ts'
import { acceptsEncoding } from '#rest/encoding.ts'
import { alert } from '#test/domain/archive/warnings/alerts.ts'
import { processorMs } from '#test/support/processor.ts'

/** Characters. A reader that rescans its text for each character takes more than five seconds, any other a fraction of one. */
const LENGTH = 200_000
const MOST_MS = 2_000

const filled = (part: string) => part.repeat(Math.ceil(LENGTH / part.length))
const HEAD = 'WUUS53 KDMX 232354\nSVRDMX\n\n'
const DATED = `${HEAD}653 PM CDT TUE JUL 23 2013\n\n`
const VTEC = '/O.NEW.KDMX.SV.W.0142.130723T2354Z-130724T0030Z/'
const SEGMENT = `IAC083-127-240030-\n${VTEC}\n`
const warnings = (text: string) => readWarningProduct(readProduct(DATED + text))
const report = { source_key: '1/KDMX/x', type: 'hail', begins_at: new Date(), issued_at: new Date() } as const

const words = (part: string) => filled(`${part} `).split(' ').slice(0, -1)
const crowded = alert({ action: 'NEW', sent: '2013-07-23T23:54:00Z', codes: words('IAC083'), shape: null })
const CROWDED = { ...crowded, properties: { ...crowded.properties, parameters: { VTEC: words(VTEC) } } }

test.each<[string, () => unknown]>([
  ['headlines that never end', () => warnings(SEGMENT + filled('...a\n'))],
  ['codes of areas that never end', () => warnings(`${VTEC}\n${filled('IAC083-\n')}`)],
  ['a gust of digits alone', () => warnings(`${SEGMENT}WIND...${filled('0')}\n`)],
  ['a segment of many events', () => warnings(`IAC001>999-ILC001>999-240030-\n${filled(`${VTEC}\n`)}`)],
  ['an alert of many events and areas', () => readAlerts({ features: [CROWDED] })],
  ['date lines whose bracket never closes', () => expect(() => readProduct(HEAD + filled('653 PM CDT (\n'))).toThrow('date line')],
  [
    'corrections that name no end of a place',
    () => findCorrected([{ ...report, description: `${filled('corrects previous x report from ')}\n` }]),
  ],
  ['corrections of nothing', () => findCorrected([{ ...report, description: filled('corrects previous a ') }])],
  ['a county of kinds alone', () => countiesNamed('IA', `x${filled(' co')}x`)],
  ['returns without a feed', () => spansBetween(`${filled('\r')}x`, FILE_LINE_END)],
  ['a coordinate that is no number', () => decimalOf(`${filled('1')}x`)],
  ['a side of a box that is no number', () => expect(() => readFeatureQuery({ bbox: `${filled('1')}x,1,1,1` })).toThrow('bbox')],
  ['an Accept-Encoding of spaces', () => acceptsEncoding(`gzip${filled(' ')}x`, 'br')],
])('reads %s in linear time', async (_, read) => {
  expect(await processorMs(read)).toBeLessThan(MOST_MS)
})
