type Position = [longitude: number, latitude: number]

/** A day's swaths as the service returns them. */
export interface SwathCollection {
  features: {
    geometry: { coordinates: Position[][][] }
    properties: { day: string; from_in: number; to_in: number | null; kind: string; source: string; citation_urls: string[] }
  }[]
}

/** Violet in KML's order blue, green, red. Larger hail is more opaque. */
const COLOUR = 'cc668f'
const OPACITY_LEAST = 0x50
const OPACITY_STEP = 0x14

/** Converts swaths to KML 2.2 (OGC 07-147r2): one placemark per band, the smallest first. */
export function kmlOf(date: string, { features }: SwathCollection): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<kml xmlns="http://www.opengis.net/kml/2.2">',
    `<Document><name>${escaped(`Hail estimated by radar, ${date}`)}</name>`,
    ...features.map(placemark),
    '</Document>',
    '</kml>',
    '',
  ].join('\n')
}

function placemark({ geometry, properties }: SwathCollection['features'][number], nth: number): string {
  const { day, from_in, to_in, kind, source, citation_urls } = properties
  const opacity = Math.min(0xf0, OPACITY_LEAST + nth * OPACITY_STEP).toString(16)
  const facts = { day, from_in, to_in: to_in ?? '', kind, source, citation_urls: citation_urls.join(' ') }
  return [
    `<Placemark><name>${from_in.toFixed(2)} in ${to_in === null ? 'or more' : `up to ${to_in.toFixed(2)} in`}</name>`,
    `<description>${escaped(`The largest hail of ${day}, estimated by radar: nobody measured it. ${citation_urls.join(' ')}`)}</description>`,
    `<TimeStamp><when>${escaped(day)}</when></TimeStamp>`,
    `<Style><LineStyle><width>0</width></LineStyle><PolyStyle><color>${opacity}${COLOUR}</color></PolyStyle></Style>`,
    `<ExtendedData>${Object.entries(facts).map(datum).join('')}</ExtendedData>`,
    `<MultiGeometry>${geometry.coordinates.map(polygon).join('')}</MultiGeometry></Placemark>`,
  ].join('\n')
}

const datum = ([name, value]: [string, string | number]) => `<Data name="${name}"><value>${escaped(String(value))}</value></Data>`

function polygon([outer = [], ...holes]: Position[][]): string {
  const inner = holes.map((hole) => `<innerBoundaryIs>${ring(hole)}</innerBoundaryIs>`).join('')
  return `<Polygon><outerBoundaryIs>${ring(outer)}</outerBoundaryIs>${inner}</Polygon>`
}

const ring = (positions: Position[]) =>
  `<LinearRing><coordinates>${positions.map(([longitude, latitude]) => `${longitude},${latitude}`).join(' ')}</coordinates></LinearRing>`

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
