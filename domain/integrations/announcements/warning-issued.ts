import { threatTexts } from '#domain/archive/warnings/threat-texts.ts'
import type { ExposureWarning } from '#domain/exposures/exposure-rows.ts'
import { carryExposures, leadExposure, placeText } from '#domain/integrations/announcements/exposure.ts'
import { activityUrl, factsOf, firstOf } from '#domain/integrations/announcements/facts.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'
import { pluralize } from '#domain/kernel/text.ts'
import { utcText } from '#domain/kernel/utc-text.ts'

export const warningIssued: EventPost<'warning.issued'> = {
  kind: 'alert',
  carry: carryExposures,
  announce({ data }, { base_url, total }) {
    const exposure = leadExposure(data)
    const { warning } = exposure
    const names = data.map(({ subject }) => subject.name)
    const until = warning && untilText(warning)
    const more = total > 1 ? ` and ${pluralize(total - 1, 'more place')}` : ''
    return {
      headline: exposure.headline,
      lede: `${warning?.event ?? 'A warning'} over ${placeText(exposure.subject)}${more}${until ? ` until ${until}` : ''}.`,
      rows: total > 1 ? firstOf(names, total) : [],
      facts: factsOf([
        ['Place', placeText(exposure.subject)],
        ['Places', total > 1 ? String(total) : null],
        ['Warning', warning?.event ?? null],
        ['Office', warning?.office.name ?? null],
        ['Threats', warning && (threatTexts(warning.threats).join(', ') || null)],
        ['Until', until],
      ]),
      link: activityUrl(base_url, exposure.id),
      link_label: 'See the exposure',
    }
  },
}

/** A warning that states no end, as of a flooded river, outlasts its message: the next one continues it. */
function untilText({ ends_at, expires_at }: Pick<ExposureWarning, 'ends_at' | 'expires_at'>): string {
  if (ends_at) return utcText(new Date(ends_at))
  return `further notice${expires_at ? ` (its newest message expires ${utcText(new Date(expires_at))})` : ''}`
}
