import { announceExposure, carryExposures } from '#domain/integrations/announcements/exposure.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'

export const exposureEscalated: EventPost<'exposure.escalated'> = { kind: 'alert', announce: announceExposure, carry: carryExposures }
