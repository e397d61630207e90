import { Kind, type ValueNode, valueFromASTUntyped } from 'graphql'
import { type Digits, noteDigits } from '#domain/kernel/exact-json.ts'

/** Reads a shape from a literal in the document, and records the digits of its coordinates. */
export function readShapeLiteral(node: ValueNode, variables?: Record<string, unknown> | null): unknown {
  const shape = valueFromASTUntyped(node, variables)
  noteCoordinates(node, shape)
  return shape
}

function noteCoordinates(node: ValueNode, value: unknown): void {
  if (node.kind !== Kind.OBJECT) return
  for (const { name, value: part } of node.fields) {
    const read = (value as Record<string, unknown>)[name.value]
    if (name.value === 'coordinates' && Array.isArray(read)) noteDigits(read, () => digitsOf(part, read))
    else noteCoordinates(part, read)
  }
}

/** Numbers keep their digits; variables have the value already read. */
function digitsOf(node: ValueNode, read: unknown): Digits {
  if (node.kind === Kind.LIST) return node.values.map((part, index) => digitsOf(part, (read as unknown[])[index]))
  return node.kind === Kind.INT || node.kind === Kind.FLOAT ? node.value : (JSON.stringify(read) ?? 'null')
}
