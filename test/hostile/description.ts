import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { sample } from 'openapi-sampler'
import type { Schema } from './values.ts'

/** An operation as the service's own description defines it. */
export interface Operation {
  id: string
  method: string
  /** With parameters in braces. */
  path: string
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }[]
  /** Null if it takes none. */
  body: Schema | null
  responses: Record<string, Described>
}

interface Described {
  $ref?: string
  content?: Record<string, object>
}

export interface Description {
  operations: Operation[]
  resolve(ref: string): Schema
  /** A value that follows the schema alone. */
  example(schema: Schema): unknown
  /** Whether the operation's description allows a body. */
  allows(operation: Operation, body: unknown): boolean
  /**
   * Returns how a response differs from the description; null if it does not.
   * @param body parsed, if the response was JSON
   */
  objection(operation: Operation, status: number, media: string | undefined, body: unknown): string | null
  /** Returns what is wrong with a refusal outside every operation. */
  objectionToRefusal(body: unknown): string | null
}

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape until it is judged
export function readDescription(document: any): Description {
  const ajv = formats.default(new Ajv2020({ strict: false }))
  ajv.addSchema(document, 'openapi')
  const compiled = new Map<string, ValidateFunction>()
  const validatorFor = (pointer: string) => {
    const validator = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi${pointer}` })
    compiled.set(pointer, validator)
    return validator
  }
  const found = (ref: string) =>
    ref
      .slice(2)
      .split('/')
      .reduce((part, key) => part[key], document)
  const fault = (pointer: string, body: unknown) => {
    const valid = validatorFor(pointer)
    return valid(body) ? null : `the body is not as described: ${ajv.errorsText(valid.errors)}`
  }
  const pointerOf = ({ path, method }: Operation) => `#/paths/${escaped(path)}/${method.toLowerCase()}`

  return {
    operations: operationsOf(document, found),
    resolve: found,
    example: (schema) => sample(schema as Parameters<typeof sample>[0], { quiet: true }, document),
    allows: (operation, body) => validatorFor(`${pointerOf(operation)}/requestBody/content/application~1json/schema`)(body),
    objection(operation, status, media, body) {
      const stated = operation.responses[status]
      if (!stated) return `${status} is not described`
      const { content } = stated.$ref ? (found(stated.$ref) as Described) : stated
      const types = Object.keys(content ?? {})
      if (types.length === 0) return media === undefined ? null : `an answer without a body is of type ${media}`
      const type = types.find((name) => media?.startsWith(name))
      if (!type) return `the type is ${media}, not ${types.join(' or ')}`
      if (type !== 'application/json') return null
      return fault(`${stated.$ref ?? `${pointerOf(operation)}/responses/${status}`}/content/application~1json/schema`, body)
    },
    objectionToRefusal: (body) => fault('#/components/schemas/Error', body),
  }
}

const escaped = (path: string) => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))

// biome-ignore lint/suspicious/noExplicitAny: as the document has it
function operationsOf(document: any, found: (ref: string) => any): Operation[] {
  return Object.entries<object>(document.paths).flatMap(([path, item]) =>
    // biome-ignore lint/suspicious/noExplicitAny: as the document has it
    Object.entries<any>(item).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      // biome-ignore lint/suspicious/noExplicitAny: as the document has it
      parameters: (operation.parameters ?? []).map((parameter: any) => (parameter.$ref ? found(parameter.$ref) : parameter)),
      body: operation.requestBody?.content['application/json'].schema ?? null,
      responses: operation.responses,
    })),
  )
}
