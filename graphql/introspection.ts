import { type DocumentNode, getIntrospectionQuery, type IntrospectionOptions, Kind, parse, print } from 'graphql'

/** Longer than the longest variant, so larger documents need no check. */
const LENGTH_MAX = 5_000

/**
 * True for the introspection document that tools send, in each of its known variants. It is deeper than other
 * documents may be, and its cost is known.
 */
export function isStandardIntrospection(text: unknown): boolean {
  if (typeof text !== 'string' || text.length > LENGTH_MAX || !text.includes('__schema')) return false
  try {
    return standardDocuments().has(normalize(parse(text)))
  } catch {
    return false
  }
}

let cache: Set<string> | undefined

function standardDocuments(): Set<string> {
  cache ??= new Set(variants().map((options) => normalize(parse(getIntrospectionQuery(options)))))
  return cache
}

const switches = [
  'descriptions',
  'specifiedByUrl',
  'directiveIsRepeatable',
  'schemaDescription',
  'inputValueDeprecation',
  'oneOf',
  'experimentalDirectiveDeprecation',
] as const satisfies (keyof IntrospectionOptions)[]

/** Older tools query types to a depth of seven. */
const TYPE_DEPTHS = [7, 9]

function variants(): IntrospectionOptions[] {
  const combined = Array.from({ length: 2 ** switches.length }, (_, bits) =>
    Object.fromEntries(switches.map((name, index) => [name, (bits & (1 << index)) !== 0])),
  )
  return combined.flatMap((options) => TYPE_DEPTHS.map((typeDepth) => ({ ...options, typeDepth })))
}

/** Normalizes white space and the operation's name. */
function normalize(document: DocumentNode): string {
  const definitions = document.definitions.map((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return definition
    const { name: _, ...unnamed } = definition
    return unnamed
  })
  return print({ ...document, definitions })
}
