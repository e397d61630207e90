import type { App } from '#domain/app.ts'
import { StoreFault } from '#domain/engines/store-fault.ts'
import { reasonOf } from '#domain/observability/startup-error.ts'

/**
 * Returns sentences that state why documents cannot be stored or read now; empty if they can. Writes, reads and removes a file
 * to find out.
 */
export async function documentStoreFaults({ blobs, config }: Pick<App, 'blobs' | 'config'>): Promise<string[]> {
  try {
    await blobs.probe()
    return []
  } catch (fault) {
    if (fault instanceof StoreFault) return [fault.message]
    return [`The document store ${config.blobs} cannot be used: ${reasonOf(fault)}.`]
  }
}
