import { defaultFieldResolver, type GraphQLSchema, isObjectType } from 'graphql'

/** Counts every resolver call of the schema until it is stopped. */
export function countResolverCalls(schema: GraphQLSchema): { calls: number; stop(): void } {
  const undo: (() => void)[] = []
  const counter = {
    calls: 0,
    stop() {
      for (const put of undo) put()
    },
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field
      undo.push(() => {
        if (resolve) field.resolve = resolve
        else delete field.resolve
      })
      field.resolve = (...args) => {
        counter.calls++
        return (resolve ?? defaultFieldResolver)(...args)
      }
    }
  }
  return counter
}
