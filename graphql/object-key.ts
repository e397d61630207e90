/** Options of the field `object`, which names the kind of every object. */
export const objectKey = (name: string) => ({ description: `Always \`${name}\`.`, extensions: { const: name } })
