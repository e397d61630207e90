import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, getOperationAST, Kind, type SelectionSetNode } from 'graphql'

/** Counts the root fields of an operation, including those in fragments. Two with the same response name count once. */
export function countRootFields(document: DocumentNode, operationName: string | null | undefined): number {
  return new Set(rootFieldNodes(document, operationName).map(({ alias, name }) => (alias ?? name).value)).size
}

/** Returns the root fields of an operation, including those in fragments. */
export function rootFieldNodes(document: DocumentNode, operationName: string | null | undefined): FieldNode[] {
  const operation = getOperationAST(document, operationName)
  return operation ? fieldsIn(operation.selectionSet, fragmentsOf(document), new Set()) : []
}

/** `visited` contains the fragments already spread: spreading one again adds nothing. */
function fieldsIn({ selections }: SelectionSetNode, fragments: Map<string, FragmentDefinitionNode>, visited: Set<string>): FieldNode[] {
  return selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node]
    if (node.kind === Kind.INLINE_FRAGMENT) return fieldsIn(node.selectionSet, fragments, visited)
    const fragment = visited.has(node.name.value) ? undefined : fragments.get(node.name.value)
    visited.add(node.name.value)
    return fragment ? fieldsIn(fragment.selectionSet, fragments, visited) : []
  })
}

function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  return new Map(document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [])))
}
