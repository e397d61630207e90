import { PLACES_MAX, type PlaceView, placeFilters, searchPlaces } from '#domain/places/places.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder } from '#graphql/builder.ts'
import { constantField } from '#graphql/constant-field.ts'

const Place = builder.objectRef<PlaceView>('Place').implement({
  description: 'A named place in the United States.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Id of the place. It never changes.' }),
    object: t.exposeString('object', constantField('place')),
    name: t.exposeString('name', { description: 'Name of the place.' }),
    full_name: t.exposeString('full_name', {
      description: 'Name with the state, and with the county if the state has several places of this name.',
    }),
    state: t.exposeString('state', { description: 'Two-letter code of the state.' }),
    latitude: t.exposeFloat('latitude', { description: 'Degrees north.' }),
    longitude: t.exposeFloat('longitude', { description: 'Degrees east.' }),
  }),
})

builder.queryField('places', (t) =>
  t.field({
    type: [Place],
    description: `Places by name, at most ${PLACES_MAX}.`,
    extensions: { ...needs('territories:read'), ...accepts(placeFilters) },
    args: {
      search: t.arg.string({ required: true, description: 'A place name, optionally with its state (Moore, OK).' }),
    },
    resolve: (_root, args, { app }) => searchPlaces(app, args),
  }),
)
