import { factsOf } from '#domain/integrations/announcements/facts.ts'
import type { AnnouncedAbout, Announcement, PostedProperty, PropertyContent, RemovedPropertyView } from '#domain/integrations/event-post.ts'
import { consoleUrlOf } from '#domain/kernel/console-url.ts'
import { addressLine } from '#domain/places/address-line.ts'

/**
 * Announces in words what happened to a property, never with its contacts, which are personal data.
 * @param verb what happened to it: "is saved"
 */
export function announceProperty(
  { data: [property], changed, reason }: PropertyContent,
  verb: string,
  { base_url }: Pick<AnnouncedAbout, 'base_url'>,
): Announcement {
  return 'removed' in property
    ? removedAnnouncement(property)
    : {
        ...currentAnnouncement(property, changed ?? [], reason === 'sent' ? 'was sent to you' : verb),
        link: `${consoleUrlOf(base_url)}/properties/${property.id}`,
        link_label: 'See the property',
      }
}

/** Returns what a property's post carries. */
export function carryProperty({ data, changed, reason }: PropertyContent) {
  return { data, changed: changed ?? [], reason: reason ?? 'change' }
}

/** Announces a removed property with nothing but its id, by which a receiver recognises it. */
function removedAnnouncement({ id }: RemovedPropertyView): Announcement {
  return {
    headline: 'A property was removed',
    lede: 'It is no longer watched.',
    rows: [],
    facts: [{ label: 'Id', value: id }],
    link: null,
    link_label: null,
  }
}

function currentAnnouncement(
  property: Exclude<PostedProperty, RemovedPropertyView>,
  changed: string[],
  verb: string,
): Omit<Announcement, 'link' | 'link_label'> {
  return {
    headline: `${property.name} ${verb}`,
    lede: changed.length > 0 ? `Changed: ${changed.join(', ')}.` : addressLine(property.address),
    rows: [],
    facts: factsOf([
      ['Address', addressLine(property.address)],
      ['Reference', property.reference],
      ['Status', property.status],
    ]),
  }
}
