import { announceProperty, carryProperty } from '#domain/integrations/announcements/property.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'

export const propertyCreated: EventPost<'property.created'> = {
  kind: 'property',
  announce: (content, about) => announceProperty(content, 'is saved', about),
  carry: carryProperty,
}
