import type { EventName } from '#domain/events/catalogue.ts'

/**
 * What each event carries, by its name. A feature states the payloads of its own events, beside the code that emits them, by
 * augmenting this interface with types of its views: a view that changes fails to compile in every post that is made of it,
 * and an event of the catalogue whose payload nobody states fails in `emit`. Payloads are kept as JSON: no Date is among them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface EventPayload {}

/** An event as its rows hold it: the name says what the content is. The content is null where it is no longer kept. */
export type StoredEvent = { [Name in EventName]: { event: Name; content: EventPayload[Name] } | { event: Name; content: null } }[EventName]
