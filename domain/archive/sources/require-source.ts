import { sourceBySlug, sources } from '#domain/archive/sources/index.ts'
import type { Source } from '#domain/archive/sources/source.ts'
import { shown } from '#domain/kernel/form.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/** @throws Refusal validation_failed on `source`, naming those that are known */
export function requireSource(slug: string): Source {
  return sourceBySlug(slug) ?? refuseField('source', unknownSource(slug))
}

/** What is said of a source that nobody knows. @param more names that are taken beside the sources' own */
export function unknownSource(slug: string, more: readonly string[] = []): string {
  return `There is no source called ${shown(slug)}. Known are ${[...sources.map((source) => source.slug), ...more].join(', ')}.`
}
