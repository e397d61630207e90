import { fetchInTime } from '/map/api.js'
import { packagedGround } from '/map/ground.js'
import { isDark } from '/map/shades.js'

/** The ground of the install: its basemap over the packaged land, or the packaged ground alone where it has none or it does not come. */
export async function chooseGround() {
  const answer = await fetchInTime('/map/basemap.json').catch(() => null)
  const basemap = answer?.status === 200 && (await answer.json().catch(() => null))
  if (!basemap) return packagedGround
  const { source, layers, dark } = basemap
  // Tiles of our own are named without the host.
  const tiles = source.tiles.map((url) => (url.startsWith('/') ? location.origin + url : url))
  const light = Object.fromEntries(layers.map(({ id, paint = {} }) => [id, paint]))
  const isName = ({ type }) => type === 'symbol'
  return {
    sources: { ...packagedGround.sources, basemap: { ...source, tiles } },
    under: [...packagedGround.under, ...layers.filter((layer) => !isName(layer))],
    lines: packagedGround.lines,
    names: layers.filter(isName),
    // Properties of the day that the night leaves out are as MapLibre has them.
    colors: () => ({ ...packagedGround.colors(), ...(isDark() ? dark : light) }),
  }
}
