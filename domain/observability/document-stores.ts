import type { App } from '#domain/app.ts'
import { StoreFault } from '#domain/engines/store-fault.ts'
import { reasonOf } from '#domain/observability/startup-error.ts'

/** Why documents cannot be stored or read now, in sentences; none where they can. A file is written, read and removed to see it. */
export async function documentStoreFaults({ blobs, config }: Pick<App, 'blobs' | 'config'>): Promise<string[]> {
  try {
    await blobs.probe()
    return []
  } catch (fault) {
    if (fault instanceof StoreFault) return [fault.message]
    return [`The document store ${config.blobs} cannot be used: ${reasonOf(fault)}.`]
  }
}
