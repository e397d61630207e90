import { Readable } from 'node:stream'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import type { World } from '#test/support/world.ts'

/** The content of an alert. */
export interface StatedWarning {
  action: string
  sent: string
  number?: number
  begins?: string
  ends?: string
  area?: string
  codes?: string[]
  shape?: object | null
  phenomenon?: string
  status?: string
  event?: string
  headline?: string
  hail?: string
}

const square = {
  type: 'Polygon',
  coordinates: [
    [
      [-97, 32.6],
      [-96.6, 32.6],
      [-96.6, 33],
      [-97, 33],
      [-97, 32.6],
    ],
  ],
}

/** An alert as api.weather.gov sends it: a severe thunderstorm warning over Dallas by default. */
export function alert({
  action,
  sent,
  number = 142,
  begins = '000000T0000Z',
  ends = '260528T2345Z',
  area = 'Dallas, TX',
  codes = ['TXC113'],
  shape = square,
  phenomenon = 'SV.W',
  status = 'Actual',
  event = 'A Warning',
  headline = sent,
  hail = '1.75',
}: StatedWarning) {
  const until = ends.replace(/^(\d\d)(\d\d)(\d\d)T(\d\d)(\d\d)Z$/, '20$1-$2-$3T$4:$5:00Z')
  return {
    type: 'Feature',
    geometry: shape,
    properties: {
      id: `urn:oid:${action}.${number}.${sent}.${area}`,
      areaDesc: area,
      geocode: { UGC: codes },
      sent,
      onset: sent,
      expires: until,
      ends: until,
      status,
      messageType: 'Alert',
      severity: 'Severe',
      certainty: 'Observed',
      urgency: 'Immediate',
      event,
      senderName: 'NWS Fort Worth TX',
      headline,
      instruction: null,
      parameters: {
        VTEC: [`/O.${action}.KFWD.${phenomenon}.${String(number).padStart(4, '0')}.${begins}-${ends}/`],
        maxHailSize: [hail],
      },
    },
  }
}

/** Imports alerts as the feed sends them. */
export const readAlerts = (world: World, ...stated: StatedWarning[]) =>
  ingest(world.app, 'warnings', Readable.from([Buffer.from(JSON.stringify({ type: 'FeatureCollection', features: stated.map(alert) }))]), {
    file_name: 'alerts.geojson',
  })
