import type { FetchResponse, MaybeOptionalInit } from 'openapi-fetch'
import type { components, paths } from './contract.d.ts'

/** What the service answers and takes of each kind, by the names of its description. */
export type Schemas = components['schemas']

export type Method = 'get' | 'post' | 'patch' | 'delete'

/** The paths that have a method. */
export type PathOf<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, object> ? P : never }[keyof paths]

/** What a call takes beside its path: `params`, `body`, `headers`, `signal`. */
export type CallOptions<P extends keyof paths, M extends Method> = MaybeOptionalInit<paths[P], M>

/** What a call answers where it is not refused; undefined where there is no body. */
export type AnswerOf<P extends keyof paths, M extends Method, Options = unknown> =
  paths[P][M] extends Record<string, unknown>
    ? Extract<FetchResponse<paths[P][M], Options, `${string}/${string}`>, { error?: never }>['data']
    : never

/** Calls of one method: the description's paths, what each takes, and what it answers. */
export type Call<M extends Method> = <P extends PathOf<M>, Options extends CallOptions<P, M>>(
  path: P,
  ...options: undefined extends Options ? [options?: Options] : [options: Options]
) => Promise<AnswerOf<P, M, Options>>

interface AnyPage {
  data: readonly unknown[]
  links: { next: string | null }
}

/** The paths of listings, which answer page by page. */
export type ListingPath = { [P in PathOf<'get'>]: AnswerOf<P, 'get'> extends AnyPage ? P : never }[PathOf<'get'>]

/** A row of a listing. */
export type RowOf<P extends ListingPath> = AnswerOf<P, 'get'> extends { data: readonly (infer Row)[] } ? Row : never

type TakesKey<P extends PathOf<'post'>> = [NonNullable<paths[P]['post']['parameters']['header']>] extends [never] ? never : P

/** The operations that take an Idempotency-Key: the compiler compares them with the description. */
export const takesIdempotencyKey: Record<{ [P in PathOf<'post'>]: TakesKey<P> }[PathOf<'post'>], true> = {
  '/api/v1/reports': true,
  '/api/v1/reports/batch': true,
  '/api/v1/properties/batch': true,
  '/api/v1/properties/{property}/reports': true,
  '/api/v1/territories': true,
}
