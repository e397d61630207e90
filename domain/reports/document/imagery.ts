import type { App } from '#domain/app.ts'
import type { DocumentFacts } from '#domain/reports/document/facts.ts'
import type { Photograph } from '#domain/reports/document/page.ts'
import type { LayoutImagery } from '#domain/reports/layout.ts'
import { pointOf } from '#domain/reports/verification.ts'

/** A picture must arrive within this time, or the page states that it is not available. */
const DEADLINE_MS = 20_000
const PICTURE_MAX_BYTES = 4 * 1024 * 1024
/** Side of the square shown around the address, degrees of latitude: about 220 m. */
const AERIAL_SPAN = 0.002
const AERIAL_PIXELS = 900
/** How far north, south, east or west of the address a street-level picture may have been taken, degrees of latitude: about 55 m. */
const STREET_REACH = 0.0005

/** The provider of each kind of picture; null if none is configured. */
const providers: Record<
  LayoutImagery,
  { label: string; credit: string; find(app: Pick<App, 'http' | 'config'>, latitude: number, longitude: number): Promise<Buffer | null> }
> = {
  aerial: {
    label: 'Aerial photograph',
    credit: 'Imagery: USGS The National Map, public domain. The date of the photograph is not that of any event.',
    find: usgsAerial,
  },
  street_view: {
    label: 'Street-level photograph',
    credit: 'Imagery: Mapillary contributors, CC BY-SA 4.0. The date of the photograph is not that of any event.',
    find: mapillaryStreet,
  },
  radar: { label: 'Radar', credit: '', find: async () => null },
}

/** Fetches the photographs of the layout concurrently; one that cannot be fetched has null bytes. */
export function photographsOf(app: Pick<App, 'http' | 'config' | 'log' | 'pictures'>, { report }: DocumentFacts): Promise<Photograph[]> {
  const { latitude, longitude } = pointOf(report.address)
  if (!report.layout.sections.includes('imagery')) return Promise.resolve([])
  return Promise.all(
    report.layout.imagery.map(async (name) => {
      const { label, credit, find } = providers[name]
      const bytes = await find(app, latitude, longitude)
        .then((found) => (found && isJpeg(found) ? app.pictures.remake(found, report.id) : null))
        .catch((fault: Error) => {
          app.log.warn({ imagery: name, reason: fault.message }, 'a picture could not be fetched')
          return null
        })
      return { label, credit, bytes }
    }),
  )
}

/** The export operation of an ArcGIS map service: https://basemap.nationalmap.gov. */
async function usgsAerial({ http, config }: Pick<App, 'http' | 'config'>, latitude: number, longitude: number): Promise<Buffer | null> {
  if (!config.aerial_imagery) return null
  const query = new URLSearchParams({
    bbox: boxAround(latitude, longitude, AERIAL_SPAN / 2),
    bboxSR: '4326',
    imageSR: '3857',
    size: `${AERIAL_PIXELS},${AERIAL_PIXELS}`,
    format: 'jpg',
    f: 'image',
  })
  const url = `https://basemap.nationalmap.gov/arcgis/rest/services/USGSImageryOnly/MapServer/export?${query}`
  const answer = await http.get(url, { timeout_ms: DEADLINE_MS, max_bytes: PICTURE_MAX_BYTES })
  return answer.status === 200 ? answer.body : null
}

/** A picture taken near the address, then its thumbnail: https://www.mapillary.com/developer/api-documentation. */
async function mapillaryStreet(
  { http, config }: Pick<App, 'http' | 'config'>,
  latitude: number,
  longitude: number,
): Promise<Buffer | null> {
  if (!config.mapillary_token) return null
  const box = boxAround(latitude, longitude, STREET_REACH)
  const headers = { Authorization: `OAuth ${config.mapillary_token}` }
  const found = await http.get(`https://graph.mapillary.com/images?fields=thumb_1024_url&limit=1&bbox=${box}`, {
    headers,
    timeout_ms: DEADLINE_MS,
    max_bytes: 64 * 1024,
  })
  if (found.status !== 200) return null
  const { data }: { data?: { thumb_1024_url?: string }[] } = JSON.parse(found.body.toString())
  const url = data?.[0]?.thumb_1024_url
  if (!url || new URL(url).protocol !== 'https:') return null
  const picture = await http.get(url, { timeout_ms: DEADLINE_MS, max_bytes: PICTURE_MAX_BYTES })
  return picture.status === 200 ? picture.body : null
}

/** Returns west, south, east and north of a square around a point, as both services take it. @param half degrees of latitude */
function boxAround(latitude: number, longitude: number, half: number): string {
  const wide = half / Math.cos((latitude * Math.PI) / 180)
  return [longitude - wide, latitude - half, longitude + wide, latitude + half].map((degrees) => degrees.toFixed(6)).join(',')
}

const isJpeg = (bytes: Buffer) => bytes[0] === 0xff && bytes[1] === 0xd8
