import { announceProperty } from '#domain/integrations/announcements/property.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'

export const propertyCreated: EventPost<'property.created'> = {
  kind: 'property',
  announce: (content, about) => announceProperty(content, 'is saved', about),
  // What is new has no field that changed.
  carry: ({ data, reason }) => ({ data, reason: reason ?? 'change' }),
}
