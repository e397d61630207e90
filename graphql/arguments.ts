import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLScalarType,
  GraphQLSchema,
  getNullableType,
  isEnumType,
} from 'graphql'
import type { JsonSchema } from '#domain/kernel/fields.ts'
import { type Form, type FormField, readChanges, readNew, type Sent, type ValuesOf } from '#domain/kernel/form.ts'
import type { Faults } from '#domain/kernel/validation.ts'

/** The arguments that a root field accepts. */
export interface ArgumentForm {
  form: Form
  /** new: with required fields and defaults. change: every field is optional. */
  kind: 'new' | 'change'
  /** Whether keys that the form does not have are refused. */
  closed: boolean
  /** The parts of its JSON Schema that the fields do not state. */
  schema: JsonSchema
  /** Validates what was sent, as far as no other data is needed. */
  validate(sent: Record<string, unknown>, faults: Faults, now: Date): void
}

interface Options<Of extends Form> {
  kind?: ArgumentForm['kind']
  closed?: boolean
  schema?: JsonSchema
  /** Validates values against each other, as far as they are known. */
  crossCheck?: (values: Partial<ValuesOf<Of>>, faults: Faults, now: Date) => void
}

/** Sets the form that validates what is sent to a root field. Descriptions and faults are derived from it. */
export function accepts<Of extends Form>(
  form: Of,
  { kind = 'new', closed = false, schema = {}, crossCheck }: Options<Of> = {},
): { accepts: ArgumentForm } {
  const validate: ArgumentForm['validate'] = (sent, faults, now) => {
    const values = kind === 'new' ? readNew(form, sent as Sent<Of>, faults) : readChanges(form, sent as Sent<Of>, faults)
    crossCheck?.(values, faults, now)
  }
  return { accepts: { form, kind, closed, schema, validate } }
}

/** The form of a field; null if it takes only ids. */
export function acceptedBy({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): ArgumentForm | null {
  return (extensions.accepts as ArgumentForm | undefined) ?? null
}

/** Adds bounds and default to the description of every argument: "Name of the property: 1 to 120 characters." */
export function describeBounds(schema: GraphQLSchema): GraphQLSchema {
  for (const field of rootFieldsOf(schema)) {
    const accepted = acceptedBy(field)
    for (const argument of field.args as GraphQLArgument[]) {
      const formField = accepted?.form[argument.name]
      if (accepted && formField) argument.description = describeArgument(argument, formField, accepted.kind)
    }
  }
  return schema
}

/** Appends the bounds to the first sentence. The type itself states a closed set. */
function describeArgument(
  { description, type }: GraphQLArgument,
  { bounds, preset }: FormField<unknown>,
  kind: ArgumentForm['kind'],
): string {
  const [first = '', ...more] = (description ?? '').split(/(?<=\.) /)
  const hasDefault = kind === 'new' && ['string', 'number', 'boolean'].includes(typeof preset)
  const bounded = first.replace(/\.$/, '') + (bounds && !isEnumType(getNullableType(type)) ? `: ${bounds}` : '')
  return [`${bounded}${hasDefault ? `; default ${preset}` : ''}.`, ...more].join(' ')
}

/** A value as it was sent. */
const UncheckedValue = new GraphQLScalarType({ name: 'Unchecked', description: 'A value as sent. The domain validates it.' })

/**
 * Makes every argument of a root field accept any value, so that the domain checks types together with values and
 * reports all faults at once. `declaredType` still returns the declared type of an argument.
 */
export function uncheckArguments(schema: GraphQLSchema): GraphQLSchema {
  for (const { args } of rootFieldsOf(schema)) {
    for (const argument of args as GraphQLArgument[]) {
      argument.extensions = { ...argument.extensions, declared: argument.type }
      argument.type = UncheckedValue
    }
  }
  const { types, ...config } = schema.toConfig()
  return new GraphQLSchema({ ...config, types: [...types, UncheckedValue] })
}

/** The type that an argument was declared with. */
export function declaredType({ type, extensions }: Pick<GraphQLArgument, 'type' | 'extensions'>): GraphQLInputType {
  return (extensions.declared as GraphQLInputType | undefined) ?? type
}

function rootFieldsOf(schema: GraphQLSchema): GraphQLField<unknown, unknown>[] {
  return [schema.getQueryType(), schema.getMutationType()].flatMap((root) => Object.values(root?.getFields() ?? {}))
}
