import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** What is left where a library's types say less than it does. Lower it when one goes; another comes only with its reason. */
const CEILING = 62

test('the domain claims few types that the compiler cannot see', () => {
  const found = sources('domain').flatMap(castsIn)
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(CEILING)
})

const sources = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => (name.endsWith('.ts') ? [path.join(folder, name)] : []))

/** `value as Type` and `<Type>value`, but not `as const`, which claims nothing. */
function castsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if ((ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) && !ts.isConstTypeReference(node.type))
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.type.pos).line + 1} ${node.getText()}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
