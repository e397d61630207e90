import type { EventName } from '#domain/events/catalogue.ts'
import { digestSent } from '#domain/integrations/announcements/digest-sent.ts'
import { exposureDetected } from '#domain/integrations/announcements/exposure-detected.ts'
import { exposureEscalated } from '#domain/integrations/announcements/exposure-escalated.ts'
import { propertyArchived } from '#domain/integrations/announcements/property-archived.ts'
import { propertyCreated } from '#domain/integrations/announcements/property-created.ts'
import { propertyUpdated } from '#domain/integrations/announcements/property-updated.ts'
import { reportCompleted } from '#domain/integrations/announcements/report-completed.ts'
import { reportFailed } from '#domain/integrations/announcements/report-failed.ts'
import { reportPdfReady } from '#domain/integrations/announcements/report-pdf-ready.ts'
import { warningIssued } from '#domain/integrations/announcements/warning-issued.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'

/** How each event is posted, one file per event. */
export const eventPosts: { [Name in EventName]: EventPost<Name> } = {
  'exposure.detected': exposureDetected,
  'exposure.escalated': exposureEscalated,
  'warning.issued': warningIssued,
  'digest.sent': digestSent,
  'property.created': propertyCreated,
  'property.updated': propertyUpdated,
  'property.archived': propertyArchived,
  'report.completed': reportCompleted,
  'report.pdf_ready': reportPdfReady,
  'report.failed': reportFailed,
}
