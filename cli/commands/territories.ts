import type { Command } from 'commander'
import { exits, failure } from '../failure.ts'
import { jsonFrom } from '../rows.ts'
import type { Schemas } from '../service.ts'
import {
  ask,
  type Columns,
  confirm,
  doing,
  type Given,
  keyed,
  keyOf,
  list,
  numberFrom,
  paged,
  perform,
  pickOptions,
  segment,
} from './command.ts'
import { exposureColumns, filterExposures, filtersOf } from './exposure-listing.ts'
import { changed } from './properties.ts'

const columns: Columns<Schemas['Territory']> = {
  id: 'id',
  name: 'name',
  kind: 'kind',
  status: 'status',
  sq_miles: 'area_sq_miles',
  description: 'description',
  last_activity: 'last_activity_on',
}

/** weather territories and weather places. */
export function addTerritories(program: Command): void {
  const territories = program.command('territories').description('watched areas')

  paged(ask(territories, 'list', 'watched areas', 'territories list --status watching'))
    .option('--status <status>', 'watching, paused or archived')
    .action(doing((given) => list(given, '/territories', pickOptions(given.options, ['status']), columns)))

  ask(territories, 'show', 'one territory with its shape', 'territories show ID')
    .argument('<territory>', 'id of the territory')
    .action(doing(async (given) => void (await perform(given, { method: 'GET', path: pathOf(given) }))))

  shape(ask(territories, 'quote', 'measure a territory without saving it', 'territories quote --name Moore --geojson moore.json')).action(
    doing(
      async (given) =>
        void (await perform(
          given,
          { method: 'POST', path: '/territories/quote', body: newBodyOf(given) },
          { kind: 'kind', sq_miles: 'area_sq_miles', allowed: 'allowed', notice: 'notice' },
        )),
    ),
  )

  keyed(shape(ask(territories, 'add', 'create a territory', "territories add --name Moore --address 'Moore, OK' --radius-miles 5"))).action(
    doing(
      async (given) =>
        void (await perform(given, { method: 'POST', path: '/territories', body: newBodyOf(given), key: keyOf(given.options) }, columns)),
    ),
  )

  shape(ask(territories, 'edit', 'change a territory', 'territories edit ID --colour moss'))
    .argument('<territory>', 'id of the territory')
    .action(
      doing(async (given) => void (await perform(given, { method: 'PATCH', path: pathOf(given), body: changed(bodyOf(given)) }, columns))),
    )

  ask(territories, 'status', 'watch, pause or archive a territory', 'territories status ID paused')
    .argument('<territory>', 'id of the territory')
    .argument('<status>', 'watching, paused or archived')
    .action(
      doing(async (given) => {
        await perform(given, { method: 'POST', path: `${pathOf(given)}/status`, body: { status: given.arguments[1] } }, columns)
      }),
    )

  filterExposures(ask(territories, 'exposures', 'exposures inside a territory', 'territories exposures ID --open true'))
    .argument('<territory>', 'id of the territory')
    .action(doing((given) => list(given, `${pathOf(given)}/exposures`, filtersOf(given.options), exposureColumns)))

  ask(territories, 'delete', 'delete a territory and its exposures', 'territories delete ID --yes')
    .argument('<territory>', 'id of the territory')
    .action(
      doing(async (given) => {
        await confirm(given.setting, `Delete territory ${given.arguments[0]} and its exposures?`)
        await perform(given, { method: 'DELETE', path: pathOf(given) })
      }),
    )

  addPlaces(program)
}

function addPlaces(program: Command): void {
  const places = program.command('places').description('named places')
  ask(places, 'search', 'look up a place by name', "places search 'Moore, OK'")
    .argument('<name>', 'a name, with or without its state')
    .action(
      doing(
        async (given) =>
          void (await perform(
            given,
            { method: 'GET', path: '/places', query: { search: given.arguments[0] as string } },
            { id: 'id', name: 'full_name', latitude: 'latitude', longitude: 'longitude' },
          )),
      ),
    )
}

const pathOf = ({ arguments: [id] }: Given) => `/territories/${segment(id as string)}`

function shape(command: Command): Command {
  return command
    .option('--name <text>', 'name of the territory')
    .option('--kind <kind>', 'polygon, radius or places (default: derived from the other options)')
    .option('--geojson <file>', 'a polygon: GeoJSON Polygon, MultiPolygon or Feature; - for standard input')
    .option('--address <text>', 'centre of a radius')
    .option('--latitude <degrees>', 'centre of a radius', numberFrom)
    .option('--longitude <degrees>', 'centre of a radius', numberFrom)
    .option('--radius-miles <miles>', 'radius around the centre, or around every place', numberFrom)
    .option('--place <id>', 'a place; repeat for several', (text, before: number[] = []) => [...before, numberFrom(text)])
    .option('--colour <name>', 'petrol, slate, moss, rust, plum or sand')
    .option('--status <status>', 'watching, paused or archived')
    .option('--notes <text>', 'notes')
}

function newBodyOf(given: Given): Record<string, unknown> {
  const body = bodyOf(given)
  if (body.kind === undefined) throw failure(exits.usage, 'Name an area: --geojson, --address, --latitude and --longitude, or --place.')
  return body
}

function bodyOf({ options }: Given): Record<string, unknown> {
  const { geojson, place } = options
  const radius = options.address !== undefined || options.latitude !== undefined
  const kind = options.kind ?? (geojson ? 'polygon' : place ? 'places' : radius ? 'radius' : undefined)
  return {
    ...pickOptions(options, ['name', 'address', 'latitude', 'longitude', 'radius_miles', 'colour', 'status', 'notes']),
    ...(kind !== undefined && { kind }),
    ...(place !== undefined && { place_ids: place }),
    ...(geojson !== undefined && { geometry: jsonFrom(geojson as string) }),
  }
}
