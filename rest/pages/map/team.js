import { api } from '/map/api.js'
import { element } from '/map/page.js'

/** Draws what the team watches, as far as the token may read it. */
export async function drawTeam(map) {
  const [properties, territories, exposures] = await Promise.all([
    read('/properties?per_page=100'),
    read('/territories?per_page=100'),
    read('/exposures?open=true&per_page=100'),
  ])
  const exposed = new Set(exposures.map(({ subject }) => subject.id))
  const feature = (geometry, { id, name }) => ({ type: 'Feature', geometry, properties: { id, name, exposed: exposed.has(id) } })
  const places = properties
    .filter(({ address }) => address.located)
    .map((one) => feature({ type: 'Point', coordinates: [one.address.longitude, one.address.latitude] }, one))
  const areas = territories.map((one) => feature(one.geometry, one))
  element('watched').hidden = places.length + areas.length === 0
  map.getSource('team').setData({ type: 'FeatureCollection', features: [...areas, ...places] })
}

const read = (path) =>
  api(path).then(
    ({ data }) => data,
    () => [],
  )
