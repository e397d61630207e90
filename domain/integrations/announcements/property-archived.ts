import { announceProperty, carryProperty } from '#domain/integrations/announcements/property.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'

export const propertyArchived: EventPost<'property.archived'> = {
  kind: 'property',
  announce: (content, about) => announceProperty(content, 'is no longer watched', about),
  carry: carryProperty,
}
