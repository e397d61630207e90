import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'

/** Deletes the report and its stored document. The credit is not returned. */
export async function removeReport(_app: App, _caller: Caller, _id: string): Promise<void> {
  throw new Error('unfinished')
}
