import type { FetchResponse, MaybeOptionalInit } from 'openapi-fetch'
import type { components, paths } from './contract.d.ts'

/** The schemas of the service, by their names in the OpenAPI document. */
export type Schemas = components['schemas']

export type Method = 'get' | 'post' | 'patch' | 'delete'

/** Responds with JSON or with the document: without the status, a caller does not know which. `reportPdf` reads it. */
type DocumentPath = '/api/v1/reports/{report}/pdf'

/** The paths that have a method, but for the document of a report. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? Exclude<P, DocumentPath> : never
}[keyof paths]

/** Options that belong to the whole client: with them, a call would have no retries, and its errors no exceptions. */
export const clientOptions = { baseUrl: undefined, fetch: undefined, middleware: undefined }

type OfCall<Options> = Options extends object ? Options & { [Name in keyof typeof clientOptions]?: never } : Options

/** Arguments of a call besides its path: `params`, `body`, `headers`, `signal`. */
export type CallOptions<P extends keyof paths, M extends Method> = OfCall<MaybeOptionalInit<paths[P], M>>

/** Result of a successful call; undefined without a body. */
export type AnswerOf<P extends keyof paths, M extends Method, Options = unknown> =
  paths[P][M] extends Record<string, unknown>
    ? Extract<FetchResponse<paths[P][M], Options, `${string}/${string}`>, { error?: never }>['data']
    : never

/** Calls of one method: the paths, their arguments and their results. */
export type Call<M extends Method> = <P extends PathOf<M>, Options extends CallOptions<P, M>>(
  path: P,
  ...options: undefined extends Options ? [options?: Options] : [options: Options]
) => Promise<AnswerOf<P, M, Options>>

interface AnyPage {
  data: readonly unknown[]
  links: { next: string | null }
}

/** The paths of paginated lists. */
export type ListingPath = { [P in PathOf<'get'>]: AnswerOf<P, 'get'> extends AnyPage ? P : never }[PathOf<'get'>]

/** A row of a list. */
export type RowOf<P extends ListingPath> = AnswerOf<P, 'get'> extends { data: readonly (infer Row)[] } ? Row : never

type TakesKey<P extends PathOf<'post'>> = [NonNullable<paths[P]['post']['parameters']['header']>] extends [never] ? never : P

/** The operations that accept an Idempotency-Key. The compiler checks them against the OpenAPI types. */
export const takesIdempotencyKey: Record<{ [P in PathOf<'post'>]: TakesKey<P> }[PathOf<'post'>], true> = {
  '/api/v1/reports': true,
  '/api/v1/reports/batch': true,
  '/api/v1/properties/batch': true,
  '/api/v1/properties/{property}/reports': true,
  '/api/v1/territories': true,
}
