import { announceProperty, carryProperty } from '#domain/integrations/announcements/property.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'

export const propertyUpdated: EventPost<'property.updated'> = {
  kind: 'property',
  announce: (content, about) => announceProperty(content, 'changed', about),
  carry: carryProperty,
}
