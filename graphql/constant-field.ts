/** Options of a String field with one constant value, such as `object`, which names the kind of every object. */
export const constantField = (name: string) => ({ description: `Always \`${name}\`.`, extensions: { const: name } })
