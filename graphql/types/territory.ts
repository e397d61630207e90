import { swatchNames, territoryKinds, watchStatuses } from '#domain/closed-sets.ts'
import { POLYGONS_MAX, POSITIONS_MAX } from '#domain/geo/geometry-parse.ts'
import { pagingForm } from '#domain/kernel/pagination.ts'
import { changeTerritory, setTerritoryStatus } from '#domain/territories/change.ts'
import { territoryForm, territoryStatusForm } from '#domain/territories/check-territory.ts'
import { createTerritory } from '#domain/territories/create.ts'
import { findTerritory, listTerritories, territoryFilters } from '#domain/territories/find.ts'
import { quoteTerritory } from '#domain/territories/quote.ts'
import { removeTerritory } from '#domain/territories/remove.ts'
import { swatches, type TerritoryQuoteView, type TerritoryView } from '#domain/territories/view.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder } from '#graphql/builder.ts'
import { withJsonSchema } from '#graphql/closed-set.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { enumOf } from '#graphql/enum.ts'
import { idempotencyArgument, idempotencyOf } from '#graphql/idempotency.ts'
import { page, pageType, pagingArguments } from '#graphql/page.ts'

const TerritoryKind = enumOf(
  'TerritoryKind',
  territoryKinds,
  'How a territory was drawn: a shape, a circle, or circles around named places.',
)
const TerritoryStatus = enumOf(
  'TerritoryStatus',
  watchStatuses,
  'Watching: scanned for storms. Paused: kept but not scanned, and counted by the plan. Archived: kept but not scanned or counted.',
)
const Swatch = enumOf('Swatch', swatchNames, 'A colour by name.')

/** Notes have at most 5,000 characters. */
const NOTES_KILOBYTES = 5

const Centre = builder.objectRef<TerritoryView['centre']>('Centre').implement({
  description: 'The centre of a territory.',
  fields: (t) => ({
    latitude: t.exposeFloat('latitude', { description: 'Degrees north.' }),
    longitude: t.exposeFloat('longitude', { description: 'Degrees east.' }),
  }),
})

const Bounds = builder.objectRef<TerritoryView['bounds']>('Bounds').implement({
  description: 'The bounding box of a territory, in degrees.',
  fields: (t) => ({
    west: t.exposeFloat('west', { description: 'Its westernmost longitude.' }),
    south: t.exposeFloat('south', { description: 'Its southernmost latitude.' }),
    east: t.exposeFloat('east', { description: 'Its easternmost longitude.' }),
    north: t.exposeFloat('north', { description: 'Its northernmost latitude.' }),
  }),
})

const TerritoryLinks = builder.objectRef<TerritoryView['links']>('TerritoryLinks').implement({
  description: 'Related links.',
  fields: (t) => ({
    self: t.exposeString('self', { description: 'The territory.' }),
    exposures: t.exposeString('exposures', { description: 'Storm days and warnings inside it.' }),
  }),
})

const circleProperties = { latitude: { type: 'number' }, longitude: { type: 'number' }, radius_miles: { type: 'number' } }

function partSchema(description: string, properties: object): object {
  return { type: 'object', description, required: Object.keys(properties), properties }
}

/** A scalar, because its keys depend on the kind. */
builder.scalarType('TerritoryDefinition', {
  description:
    'One of the parts that make a territory. polygon: {positions, holes}. radius: {address, latitude, longitude, radius_miles}. places: {place_id, name, latitude, longitude, radius_miles}.',
  serialize: (part) => part,
  extensions: {
    json_schema: { oneOf: ['DrawnPart', 'CirclePart', 'PlacePart'].map((name) => ({ $ref: `#/components/schemas/${name}` })) },
    json_schemas: {
      DrawnPart: partSchema('A drawn polygon.', { positions: { type: 'integer' }, holes: { type: 'integer' } }),
      CirclePart: partSchema('A circle around an address, or around a point if only that was sent.', {
        address: { type: ['string', 'null'] },
        ...circleProperties,
      }),
      PlacePart: partSchema('A circle around a named place.', {
        place_id: { type: 'integer' },
        name: { type: 'string' },
        ...circleProperties,
      }),
    },
  },
})

export const Territory = builder.objectRef<TerritoryView>('Territory').implement({
  description: 'An area that the team watches.',
  fields: (t) => ({
    id: t.expose('id', { type: 'UUID', description: 'Id of the territory.' }),
    object: t.exposeString('object', constantField('territory')),
    name: t.exposeString('name', { description: 'Name given by the team.' }),
    kind: t.expose('kind', { type: TerritoryKind, description: 'How it was drawn.' }),
    description: t.exposeString('description', { description: 'Short description of the area.' }),
    definition: t.expose('definition', { type: ['TerritoryDefinition'], description: 'The parts that make the area.' }),
    status: t.expose('status', { type: TerritoryStatus, description: 'Whether it is watched.' }),
    area_sq_miles: t.exposeFloat('area_sq_miles', { description: 'Its area in square miles.' }),
    color: t.exposeString('color', { description: 'Its colour as #RRGGBB.', ...withJsonSchema({ enum: Object.values(swatches) }) }),
    geometry: t.expose('geometry', { type: 'GeoJson', description: 'The watched shape. A drawn shape is exactly as it was sent.' }),
    centre: t.expose('centre', { type: Centre, description: 'Its centre.' }),
    bounds: t.expose('bounds', { type: Bounds, description: 'Its bounding box.' }),
    notes: t.exposeString('notes', { nullable: true, description: "The team's notes.", extensions: { kilobytes: NOTES_KILOBYTES } }),
    last_activity_on: t.expose('last_activity_on', {
      type: 'Date',
      nullable: true,
      description: 'Date of its newest exposure; null if it has none.',
    }),
    created_at: t.expose('created_at', { type: 'DateTime', description: 'When it was created.' }),
    updated_at: t.expose('updated_at', { type: 'DateTime', description: 'When it last changed.' }),
    links: t.expose('links', { type: TerritoryLinks, description: 'Related links.' }),
  }),
})

const TerritoryPage = pageType(Territory, 'TerritoryPage')

const TerritoryQuote = builder.objectRef<TerritoryQuoteView>('TerritoryQuote').implement({
  description: 'Preview of a territory.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('territory_quote')),
    kind: t.expose('kind', { type: TerritoryKind, description: 'How it would be drawn.' }),
    geometry: t.expose('geometry', { type: 'GeoJson', description: 'The shape that would be watched.' }),
    centre: t.expose('centre', { type: Centre, description: 'Its centre.' }),
    bounds: t.expose('bounds', { type: Bounds, description: 'Its bounding box.' }),
    area_sq_miles: t.exposeFloat('area_sq_miles', { description: 'Its area in square miles.' }),
    allowed: t.exposeBoolean('allowed', { description: 'Whether the plan allows it.' }),
    notice: t.exposeString('notice', { nullable: true, description: 'Why it is not allowed; null if it is.' }),
  }),
})

const details = builder.args((t) => ({
  status: t.field({ type: TerritoryStatus, description: 'Whether it is watched.' }),
  colour: t.field({ type: Swatch, description: 'Its colour.' }),
  notes: t.string({ description: 'Notes.' }),
  geometry: t.field({
    type: 'GeoJson',
    description: `Shape, for the kind polygon: at most ${POSITIONS_MAX.toLocaleString('en')} positions and ${POLYGONS_MAX} polygons. It is never repaired.`,
  }),
  address: t.string({ description: 'Address of the centre, for the kind radius.' }),
  latitude: t.float({ description: 'Latitude of the centre instead of an address, for the kind radius. North is positive.' }),
  longitude: t.float({ description: 'Longitude of the centre instead of an address, for the kind radius. East is positive.' }),
  radius_miles: t.float({ description: 'Radius, for the kinds radius and places, within the area that the plan allows.' }),
  place_ids: t.intList({ description: 'Ids from the place lookup, for the kind places.' }),
}))

const requiredArguments = builder.args((t) => ({
  name: t.string({ required: true, description: 'Name of the territory.' }),
  kind: t.field({ type: TerritoryKind, required: true, description: 'How it is drawn.' }),
}))

const territoryArgument = builder.args((t) => ({
  territory: t.field({ type: 'UUID', required: true, description: 'Id of the territory.' }),
}))

builder.queryFields((t) => ({
  territories: t.field({
    type: TerritoryPage,
    description: 'Territories of the team, newest first.',
    extensions: { ...needs('territories:read'), ...accepts({ ...territoryFilters, ...pagingForm }) },
    args: { status: t.arg({ type: TerritoryStatus, description: 'Only territories with this status.' }), ...pagingArguments },
    resolve: (_root, args, context) =>
      page(context.app, '/territories', args, () => listTerritories(context.app, callerOf(context), args, context.checkResponseSize)),
  }),
  territory: t.field({
    type: Territory,
    description: 'One territory.',
    extensions: needs('territories:read'),
    args: territoryArgument,
    resolve: (_root, { territory }, context) => findTerritory(context.app, callerOf(context), territory),
  }),
  territoryQuote: t.field({
    type: TerritoryQuote,
    description: 'Measures a territory and reports whether the plan allows it. Nothing is saved.',
    extensions: { ...needs('territories:write'), ...accepts(territoryForm) },
    args: { ...requiredArguments, ...details },
    resolve: (_root, input, context) => quoteTerritory(context.app, callerOf(context), input),
  }),
}))

builder.mutationFields((t) => ({
  createTerritory: t.field({
    type: Territory,
    description: 'Creates a territory. It is watched unless another status is sent.',
    extensions: { ...needs('territories:write'), ...accepts(territoryForm) },
    args: { ...requiredArguments, ...details, ...idempotencyArgument },
    resolve: async (_root, { idempotency_key, ...input }, context) => {
      const idempotency = idempotencyOf(context, 'createTerritory', idempotency_key, input)
      const { territory, replayed } = await createTerritory(context.app, callerOf(context), input, idempotency)
      context.replayed = replayed
      return territory
    },
  }),
  updateTerritory: t.field({
    type: Territory,
    description: 'Updates the given fields of a territory, and measures it again if its area changes. Null clears the notes.',
    extensions: { ...needs('territories:write'), ...accepts(territoryForm, { kind: 'change' }) },
    args: {
      ...territoryArgument,
      name: t.arg.string({ description: 'Name of the territory.' }),
      kind: t.arg({ type: TerritoryKind, description: 'How it is drawn. A different kind needs all of its fields.' }),
      ...details,
    },
    resolve: (_root, { territory, ...input }, context) => changeTerritory(context.app, callerOf(context), territory, input),
  }),
  setTerritoryStatus: t.field({
    type: Territory,
    description: 'Watches, pauses or archives a territory.',
    extensions: { ...needs('territories:write'), ...accepts(territoryStatusForm) },
    args: { ...territoryArgument, status: t.arg({ type: TerritoryStatus, required: true, description: 'New status.' }) },
    resolve: (_root, { territory, ...input }, context) => setTerritoryStatus(context.app, callerOf(context), territory, input),
  }),
  deleteTerritory: t.boolean({
    description: 'Deletes a territory with its exposures. Returns true.',
    extensions: needs('territories:write'),
    args: territoryArgument,
    resolve: async (_root, { territory }, context) => {
      await removeTerritory(callerOf(context), territory)
      return true
    },
  }),
}))
