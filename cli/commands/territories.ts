import type { Command } from 'commander'
import { exits, failure } from '../failure.ts'
import { jsonFrom } from '../rows.ts'
import type { Schemas } from '../service.ts'
import {
  addCommand,
  type Columns,
  confirm,
  type Invocation,
  idempotencyKeyOf,
  list,
  numberFrom,
  perform,
  pickOptions,
  requireChanges,
  segment,
  withIdempotencyKey,
  withPaging,
  wrapAction,
} from './command.ts'
import { exposureColumns, filtersOf, withExposureList } from './exposure-listing.ts'

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

  withPaging(addCommand(territories, 'list', 'watched areas', 'territories list --status watching'))
    .option('--status <status>', 'watching, paused or archived')
    .action(wrapAction((invocation) => list(invocation, '/territories', pickOptions(invocation.options, ['status']), columns)))

  addCommand(territories, 'show', 'one territory with its shape', 'territories show ID')
    .argument('<territory>', 'id of the territory')
    .action(wrapAction((invocation) => perform(invocation, { method: 'GET', path: pathOf(invocation) })))

  withTerritoryFields(
    addCommand(territories, 'quote', 'measure a territory without saving it', 'territories quote --name Moore --geojson moore.json'),
  ).action(
    wrapAction(async (invocation) =>
      perform(
        invocation,
        { method: 'POST', path: '/territories/quote', body: await newBodyOf(invocation) },
        { kind: 'kind', sq_miles: 'area_sq_miles', allowed: 'allowed', notice: 'notice' },
      ),
    ),
  )

  withIdempotencyKey(
    withTerritoryFields(
      addCommand(territories, 'add', 'create a territory', "territories add --name Moore --address 'Moore, OK' --radius-miles 5"),
    ),
  ).action(
    wrapAction(async (invocation) =>
      perform(
        invocation,
        { method: 'POST', path: '/territories', body: await newBodyOf(invocation), key: idempotencyKeyOf(invocation.options) },
        columns,
      ),
    ),
  )

  withTerritoryFields(addCommand(territories, 'edit', 'change a territory', 'territories edit ID --colour moss'))
    .argument('<territory>', 'id of the territory')
    .action(
      wrapAction(async (invocation) =>
        perform(invocation, { method: 'PATCH', path: pathOf(invocation), body: requireChanges(await bodyOf(invocation)) }, columns),
      ),
    )

  addCommand(territories, 'status', 'watch, pause or archive a territory', 'territories status ID paused')
    .argument('<territory>', 'id of the territory')
    .argument('<status>', 'watching, paused or archived')
    .action(
      wrapAction(async (invocation) => {
        await perform(
          invocation,
          { method: 'POST', path: `${pathOf(invocation)}/status`, body: { status: invocation.arguments[1] } },
          columns,
        )
      }),
    )

  withExposureList(addCommand(territories, 'exposures', 'exposures inside a territory', 'territories exposures ID --open true'))
    .argument('<territory>', 'id of the territory')
    .action(wrapAction((invocation) => list(invocation, `${pathOf(invocation)}/exposures`, filtersOf(invocation.options), exposureColumns)))

  addCommand(territories, 'delete', 'delete a territory and its exposures', 'territories delete ID --yes')
    .argument('<territory>', 'id of the territory')
    .action(
      wrapAction(async (invocation) => {
        await confirm(invocation.setting, `Delete territory ${invocation.arguments[0]} and its exposures?`)
        await perform(invocation, { method: 'DELETE', path: pathOf(invocation) })
      }),
    )

  addPlaces(program)
}

function addPlaces(program: Command): void {
  const places = program.command('places').description('named places')
  addCommand(places, 'search', 'look up a place by name', "places search 'Moore, OK'")
    .argument('<name>', 'a name, with or without its state')
    .action(
      wrapAction((invocation) =>
        perform(
          invocation,
          { method: 'GET', path: '/places', query: { search: invocation.arguments[0] as string } },
          { id: 'id', name: 'full_name', latitude: 'latitude', longitude: 'longitude' },
        ),
      ),
    )
}

const pathOf = ({ arguments: [id] }: Invocation) => `/territories/${segment(id as string)}`

function withTerritoryFields(command: Command): Command {
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

async function newBodyOf(invocation: Invocation): Promise<Record<string, unknown>> {
  const body = await bodyOf(invocation)
  if (body.kind === undefined) throw failure(exits.usage, 'Name an area: --geojson, --address, --latitude and --longitude, or --place.')
  return body
}

async function bodyOf({ options }: Invocation): Promise<Record<string, unknown>> {
  const { geojson, place } = options
  const radius = options.address !== undefined || options.latitude !== undefined
  const kind = options.kind ?? (geojson ? 'polygon' : place ? 'places' : radius ? 'radius' : undefined)
  return {
    ...pickOptions(options, ['name', 'address', 'latitude', 'longitude', 'radius_miles', 'colour', 'status', 'notes']),
    ...(kind !== undefined && { kind }),
    ...(place !== undefined && { place_ids: place }),
    ...(geojson !== undefined && { geometry: await jsonFrom(geojson as string) }),
  }
}
