import type { Faults } from '#domain/check.ts'
import { type EventName, eventNames } from '#domain/events/catalogue.ts'
import { type Channel, channels } from '#domain/integrations/view.ts'

/** What a destination is registered or changed with; absent where not sent. */
export interface DestinationInput {
  name?: string | null | undefined
  channel?: string | null | undefined
  url?: string | null | undefined
  events?: readonly string[] | null | undefined
  active?: boolean | null | undefined
}

const NAME_MAX = 80

/** Notes every fault of what was sent, but for the url, whose address is looked up (address.ts). */
export function checkDestination(input: DestinationInput, faults: Faults): void {
  for (const [field, value] of Object.entries(input))
    if (value === null) faults.add(field, `The ${field} cannot be null: leave it out to keep it.`)
  const { name, channel, events } = input
  if (name != null) {
    const length = [...name.trim()].length
    faults.unless(length >= 1 && length <= NAME_MAX, 'name', `The name must have 1 to ${NAME_MAX} characters.`)
  }
  if (channel != null) faults.unless(channels.includes(channel as Channel), 'channel', `The channel must be one of ${channels.join(', ')}.`)
  if (events != null) checkEvents(events, faults)
}

function checkEvents(events: readonly string[], faults: Faults): void {
  faults.unless(events.length > 0, 'events', 'The events must name at least one event.')
  for (const [index, name] of events.entries()) {
    faults.unless(
      eventNames.includes(name as EventName),
      `events.${index}`,
      `There is no event called ${name}; the catalogue lists ${eventNames.join(', ')}.`,
    )
  }
}
