import type { App } from '#domain/app.ts'
import { channels } from '#domain/closed-sets.ts'
import { eventNames } from '#domain/events/catalogue.ts'
import { checkAddress, type NameLookup, URL_MAX } from '#domain/integrations/address.ts'
import { flag, list, mapped, oneOf, text } from '#domain/kernel/fields.ts'
import { preset, printableExcerpt, readChanges, readNew, required, type Sent, type ValuesOf } from '#domain/kernel/form.ts'
import type { Faults } from '#domain/kernel/validation.ts'

const event = oneOf('An event', eventNames, (sent) =>
  typeof sent === 'string'
    ? `There is no event called ${printableExcerpt(sent)}; the events are ${eventNames.join(', ')}.`
    : 'An event must be text.',
)

/** The request body of a destination. */
export const destinationForm = {
  name: required(text('The name', { min: 1, max: 80 })),
  channel: required(oneOf('The channel', channels)),
  url: required(text('The url', { min: 1, max: URL_MAX })),
  /** Each event once. */
  events: required(mapped(list('The events', event, { min: 1, count: 'Choose at least one event.' }), (names) => [...new Set(names)])),
  active: preset(flag('Active'), true),
}

export type DestinationInput = Sent<typeof destinationForm>
export type DestinationFields = ValuesOf<typeof destinationForm>

/** Checks the body of a new destination and looks up its address. Use the result only if no fault was added. */
export async function checkNewDestination(
  app: Pick<App, 'poster'>,
  lookup: NameLookup,
  input: DestinationInput,
  faults: Faults,
): Promise<DestinationFields> {
  const fields = readNew(destinationForm, input, faults)
  if (fields.url) await checkAddress(app, lookup, fields.url, faults)
  return fields
}

/** Checks the body of a change. */
export async function checkDestinationChanges(
  app: Pick<App, 'poster'>,
  lookup: NameLookup,
  input: DestinationInput,
  faults: Faults,
): Promise<Partial<DestinationFields>> {
  const changes = readChanges(destinationForm, input, faults)
  if (changes.url) await checkAddress(app, lookup, changes.url, faults)
  return changes
}
