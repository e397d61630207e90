import { locationFailures, placePrecisions } from '#domain/closed-sets.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enum.ts'

export const PlacePrecision = enumOf('PlacePrecision', placePrecisions, 'How exactly an address was located.')
export const LocationFailure = enumOf('LocationFailure', locationFailures, 'Why an address is at no one place.')

/** An address, or the coordinates that place it, or both. */
export const whereArguments = builder.args((t) => ({
  address: t.string({
    description:
      'Address in the United States, or its coordinates, such as "33.1499, -96.8241". It is required unless latitude and longitude are sent.',
  }),
  latitude: t.float({
    description: 'Degrees north, sent with longitude. The coordinates say where it is, the address what it is called: both name one place.',
  }),
  longitude: t.float({ description: 'Degrees east, sent with latitude. Western ones are negative.' }),
}))
