import { Refusal } from '#domain/refusal.ts'

/** Answers a row of the contract whose feature does not exist yet: 501, before its body is read. */
export async function notImplemented(): Promise<never> {
  throw new Refusal('not_implemented', 'This endpoint is not available yet.')
}
