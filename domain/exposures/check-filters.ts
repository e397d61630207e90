import { exposureKinds, watchSubjects } from '#domain/closed-sets.ts'
import { type PagePosition, pagePosition } from '#domain/exposures/page-position.ts'
import { checkDays, date, flag, moment, number, oneOf } from '#domain/kernel/fields.ts'
import { optional, readNew, type Sent, type ValuesOf } from '#domain/kernel/form.ts'
import { type Listing, type Paging, pagingForm, readListing } from '#domain/kernel/pagination.ts'
import type { Faults } from '#domain/kernel/validation.ts'

/** The filters of an exposure listing. */
export const exposureFilters = {
  /** Exclusive: only exposures that changed after this moment. A client that syncs uses it as its cursor. */
  since: optional(moment('Since')),
  /** First and last date, both inclusive. */
  from: optional(date('The first day')),
  to: optional(date('The last day')),
  kind: optional(oneOf('The kind', exposureKinds)),
  /** True: neither acknowledged nor dismissed. False: acknowledged or dismissed. */
  open: optional(flag('Open')),
  subject: optional(oneOf('The subject', watchSubjects)),
  /** An exposure without measured hail is excluded. */
  min_measured_in: optional(number('The smallest measured hail', { min: 0, unit: 'inches' })),
}

export type ExposureFilters = ValuesOf<typeof exposureFilters>

const positionForm = { after: optional(pagePosition('After')) }

/** The paging fields of an exposure listing. */
export const exposurePaging = { ...pagingForm, ...positionForm }

/** The filters and the page of an exposure listing, as sent. */
export type ExposureListing = Listing<typeof exposureFilters> & Sent<typeof positionForm>

/** Checks every filter and the page, so that a mistake never looks like an empty result. */
export function checkFilters(
  input: ExposureListing,
  faults: Faults,
): { filters: ExposureFilters; paging: Paging; after: PagePosition | null } {
  const { filters, paging } = readListing(exposureFilters, input, faults)
  checkDays(filters, faults)
  return { filters, paging, after: readNew(positionForm, input, faults).after ?? null }
}
