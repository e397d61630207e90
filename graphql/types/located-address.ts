import { type LocatedAddressView, locateAddress, locateForm } from '#domain/places/locate-address.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { PlacePrecision } from '#graphql/types/location.ts'

const LocatedAddress = builder.objectRef<LocatedAddressView>('LocatedAddress').implement({
  subGraphs: graphOnly,
  description: 'Location of an address.',
  fields: (t) => ({
    label: t.exposeString('label', {
      nullable: true,
      description: 'The located address on one line; null if it has no single location.',
    }),
    latitude: t.exposeFloat('latitude', { nullable: true, description: 'Degrees north.' }),
    longitude: t.exposeFloat('longitude', { nullable: true, description: 'Degrees east.' }),
    precision: t.expose('precision', { type: PlacePrecision, nullable: true, description: 'How precisely it was located.' }),
    failure_message: t.exposeString('failure_message', {
      nullable: true,
      description: 'Why it has no single location, in a sentence; null if it has one.',
    }),
  }),
})

builder.queryField('locate', (t) =>
  t.field({
    type: LocatedAddress,
    subGraphs: graphOnly,
    description: 'Locates an address as a report would. Nothing is charged.',
    extensions: { ...needs('maps:read'), ...accepts(locateForm) },
    args: {
      address: t.arg.string({
        required: true,
        description: 'Address in the United States, or its coordinates, such as "33.1499, -96.8241".',
      }),
    },
    resolve: (_root, args, { app }) => locateAddress(app, args),
  }),
)
