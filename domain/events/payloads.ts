import type { EventName } from '#domain/events/catalogue.ts'

/**
 * The payload of each event, by its name. A feature declares the payloads of its own events beside the code that emits them, by
 * augmenting this interface with types of its views. A changed view then fails to compile in every post built from it, and a
 * catalogue event without a declared payload fails in `emit`. Payloads are stored as JSON, so they contain no Date.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface EventPayload {}

/** A stored event: the name determines the type of the content. The content is null once it is no longer kept. */
export type StoredEvent = { [Name in EventName]: { event: Name; content: EventPayload[Name] } | { event: Name; content: null } }[EventName]
