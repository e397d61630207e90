import { sourceBySlug, sources } from '#domain/archive/sources/index.ts'
import type { Source } from '#domain/archive/sources/source.ts'
import { printableExcerpt } from '#domain/kernel/form.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/** @throws Refusal validation_failed on `source`, listing the known sources */
export function requireSource(slug: string): Source {
  return sourceBySlug(slug) ?? refuseField('source', unknownSource(slug))
}

/** Returns the message for an unknown source. @param more names that are accepted in addition to the sources' own */
export function unknownSource(slug: string, more: readonly string[] = []): string {
  return `There is no source called ${printableExcerpt(slug)}. Known are ${[...sources.map((source) => source.slug), ...more].join(', ')}.`
}
