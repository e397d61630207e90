import { type DocumentNode, type FragmentDefinitionNode, getOperationAST, Kind, type SelectionSetNode } from 'graphql'

/** How many root fields an operation has: what fragments bring counts, what stands twice under one name counts once. */
export function countRootFields(document: DocumentNode, operationName: string | null | undefined): number {
  const operation = getOperationAST(document, operationName)
  return operation ? namesIn(operation.selectionSet, fragmentsOf(document), new Set()).size : 0
}

/** `spread` holds the fragments already looked at: one that is spread again brings nothing new. */
function namesIn({ selections }: SelectionSetNode, fragments: Map<string, FragmentDefinitionNode>, spread: Set<string>): Set<string> {
  const names = selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) return [(node.alias ?? node.name).value]
    if (node.kind === Kind.INLINE_FRAGMENT) return [...namesIn(node.selectionSet, fragments, spread)]
    const fragment = spread.has(node.name.value) ? undefined : fragments.get(node.name.value)
    spread.add(node.name.value)
    return fragment ? [...namesIn(fragment.selectionSet, fragments, spread)] : []
  })
  return new Set(names)
}

function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  return new Map(document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [])))
}
