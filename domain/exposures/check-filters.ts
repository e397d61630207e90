import { exposureKinds, watchSubjects } from '#domain/closed-sets.ts'
import { checkDays, date, flag, moment, number, oneOf } from '#domain/kernel/fields.ts'
import { optional, type ValuesOf } from '#domain/kernel/form.ts'
import { type Listing, type Paging, readListing } from '#domain/kernel/pagination.ts'
import type { Faults } from '#domain/kernel/validation.ts'

/** What narrows a listing of exposures. */
export const exposureFilters = {
  /** Exclusive: only what moved after this moment. The cursor of a client that keeps up. */
  since: optional(moment('Since')),
  /** First and last date, both inclusive. */
  from: optional(date('The first day')),
  to: optional(date('The last day')),
  kind: optional(oneOf('The kind', exposureKinds)),
  /** True: neither acknowledged nor dismissed. False: one of the two. */
  open: optional(flag('Open')),
  subject: optional(oneOf('The subject', watchSubjects)),
  /** Where none was measured, the exposure drops out. */
  min_measured_in: optional(number('The smallest measured hail', { min: 0, unit: 'inches' })),
}

export type ExposureFilters = ValuesOf<typeof exposureFilters>

/** Judges every filter and the page: what is mistaken must not look like an empty answer. */
export function checkFilters(asked: Listing<typeof exposureFilters>, faults: Faults): { filters: ExposureFilters; paging: Paging } {
  const { filters, paging } = readListing(exposureFilters, asked, faults)
  checkDays(filters, faults)
  return { filters, paging }
}
