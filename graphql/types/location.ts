import { locationFailures, placePrecisions } from '#domain/closed-sets.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enum.ts'

export const PlacePrecision = enumOf('PlacePrecision', placePrecisions, 'How precisely an address was located.')
export const LocationFailure = enumOf('LocationFailure', locationFailures, 'Why an address has no single location.')

/** An address, its coordinates, or both. */
export const whereArguments = builder.args((t) => ({
  address: t.string({
    description:
      'Address in the United States, or its coordinates, such as "33.1499, -96.8241". It is required unless latitude and longitude are sent.',
  }),
  latitude: t.float({
    description:
      'Degrees north, sent with longitude. With an address, the coordinates give the location and the address gives the name of the same place.',
  }),
  longitude: t.float({ description: 'Degrees east, sent with latitude. Western longitudes are negative.' }),
}))
