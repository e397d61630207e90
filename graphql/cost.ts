import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  isCompositeType,
  isListType,
  isUnionType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValidationRule,
} from 'graphql'
import { PER_PAGE, PER_PAGE_MAX } from '#domain/kernel/pagination.ts'

/** Largest number of values that a document may select. A page of 50 whole reports with a date of loss is about 36,000. */
const COST_MAX = 51_000
/**
 * Largest number of kilobytes that the long values of a document may hold: they are read before their size is known. A page of 100 exposures with all
 * their fields is about 80,000, of which 51,200 are shapes of territories, and a second page of shapes is too much.
 */
const KILOBYTES_MAX = 100_000
/** Kilobytes of one megabyte. */
const MEGABYTE = 1000
/** Assumed rows of a list without a size argument: findings of a report, lanes, fields of a type. */
const LIST_ROWS = 10

/**
 * Refuses a document that selects more values than the limit, or values that could be larger than the limit, before any of it runs. A list
 * counts its requested size; one without a size counts its usual length, which a single exceptional row can exceed. `boundResult` limits
 * what the values really hold.
 */
export const costRule: ValidationRule = (context) => ({
  OperationDefinition(operation) {
    const schema = context.getSchema()
    const root = schema.getRootType(operation.operation)
    if (!root) return
    const sumOf = (weights: Weights) => measure(schema, (name) => context.getFragment(name), weights)(operation.selectionSet, root)
    const refuse = (reason: string) => context.reportError(new GraphQLError(reason, { nodes: operation }))
    const cost = sumOf(values)
    if (cost > COST_MAX) return refuse(`Cost limit of ${COST_MAX} exceeded, found ${cost}.`)
    const size = sumOf(kilobytes)
    if (size > KILOBYTES_MAX) refuse(`Size limit of ${KILOBYTES_MAX / MEGABYTE} MB exceeded, found up to ${Math.ceil(size / MEGABYTE)} MB.`)
  },
})

/** Returns the most kilobytes that the long values of an operation may hold. */
export function largestSize(schema: GraphQLSchema, document: DocumentNode, operationName?: string | null): number {
  const operation = getOperationAST(document, operationName)
  const root = operation && schema.getRootType(operation.operation)
  if (!root) return 0
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  )
  return measure(schema, (name) => fragments.get(name), kilobytes)(operation.selectionSet, root)
}

type FindFragment = (name: string) => FragmentDefinitionNode | null | undefined

/** What a field counts. */
interface Weights {
  leaf(field: Field | undefined): number
  /** @param selected what its selection counts, times its rows */
  object(field: Field, selected: number): number
}

/**
 * One per field, plus its selection times its rows. A field with a `cost` counts at least that, because it reads the same amount for every
 * selection.
 */
const values: Weights = {
  leaf: () => 1,
  object: ({ extensions }, selected) => Math.max(Number(extensions.cost ?? 0), 1 + selected),
}

/** The `kilobytes` that a leaf, or its type, states for the longest value; short values state none. */
const kilobytes: Weights = {
  leaf: (field) => Number(field?.extensions.kilobytes ?? (field && getNamedType(field.type).extensions.kilobytes) ?? 0),
  object: (_field, selected) => selected,
}

/** Sums the weights of a selection. */
function measure(schema: GraphQLSchema, fragmentOf: FindFragment, weights: Weights) {
  const fragmentCosts = new Map<string, number>()
  return selectionCost

  function selectionCost({ selections }: SelectionSetNode, on: GraphQLCompositeType): number {
    const costs = selections.map((node) => {
      if (node.kind === Kind.FIELD) return fieldCost(node, on)
      if (node.kind === Kind.FRAGMENT_SPREAD) return fragmentCost(node.name.value)
      return selectionCost(node.selectionSet, typeNamed(node.typeCondition?.name.value) ?? on)
    })
    return costs.reduce((sum, cost) => sum + cost, 0)
  }

  function fieldCost(node: FieldNode, on: GraphQLCompositeType): number {
    const definition = fieldOf(schema, on, node.name.value)
    const type = definition && getNamedType(definition.type)
    if (!definition || !node.selectionSet || !isCompositeType(type)) return weights.leaf(definition)
    return weights.object(definition, rowsOf(node, definition) * selectionCost(node.selectionSet, type))
  }

  /** Measures a fragment once, however often it is spread. Another rule refuses a fragment that spreads itself. */
  function fragmentCost(name: string): number {
    if (!fragmentCosts.has(name)) {
      fragmentCosts.set(name, 0)
      const found = fragmentOf(name)
      const type = typeNamed(found?.typeCondition.name.value)
      fragmentCosts.set(name, found && type ? selectionCost(found.selectionSet, type) : 0)
    }
    return fragmentCosts.get(name) ?? 0
  }

  function typeNamed(name: string | undefined): GraphQLCompositeType | undefined {
    const type = name === undefined ? undefined : schema.getType(name)
    return isCompositeType(type) ? type : undefined
  }
}

type Field = GraphQLField<unknown, unknown>

function fieldOf(schema: GraphQLSchema, on: GraphQLCompositeType, name: string): Field | undefined {
  if (on === schema.getQueryType() && name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef
  if (on === schema.getQueryType() && name === TypeMetaFieldDef.name) return TypeMetaFieldDef
  return isUnionType(on) ? undefined : on.getFields()[name]
}

/** Returns the number of rows of a field: the requested size, or the number that the field states. */
function rowsOf(node: FieldNode, { args, type, extensions }: Field): number {
  const size = args.find(({ name }) => name === 'per_page' || name === 'first')
  if (!size) return Number(extensions.rows ?? (isListType(getNullableType(type)) ? LIST_ROWS : 1))
  const sent = node.arguments?.find(({ name }) => name.value === size.name)?.value
  if (!sent) return PER_PAGE
  // A size from a variable is unknown during validation, so the largest size counts.
  return sent.kind === Kind.INT ? Math.min(Math.max(Number(sent.value), 1), PER_PAGE_MAX) : PER_PAGE_MAX
}
