import type { Blobs } from '#domain/engines/blobs.ts'
import { openBucket } from '#domain/engines/bucket.ts'
import { openFolder } from '#domain/engines/folder.ts'
import type { Config } from '#domain/kernel/config.ts'

/** Two stores, while documents move from one to the other. */
export interface MovingStores {
  to: Blobs
  from: Blobs
}

/** Opens the document store (a bucket or a folder), and the second store if one is set. Makes no request yet. */
export function openBlobs({ blobs, bucket, blobs_also }: Pick<Config, 'blobs' | 'bucket' | 'blobs_also'>): {
  blobs: Blobs
  moving: MovingStores | null
} {
  const to = bucket ? openBucket(bucket) : openFolder(blobs)
  if (blobs_also === null) return { blobs: to, moving: null }
  const from = typeof blobs_also === 'string' ? openFolder(blobs_also) : openBucket(blobs_also)
  return { blobs: together(to, from), moving: { to, from } }
}

/** Combines two stores: writes go to the first, reads try both in order, and removals affect both so that no copy stays. */
function together(first: Blobs, second: Blobs): Blobs {
  const both = async (work: (one: Blobs) => Promise<void>) => {
    await work(first)
    await work(second)
  }
  return {
    put: (key, bytes) => first.put(key, bytes),
    get: async (key) => (await first.get(key)) ?? (await second.get(key)),
    read: async (key, offset, length) => (await first.read(key, offset, length)) ?? (await second.read(key, offset, length)),
    remove: (key) => both((one) => one.remove(key)),
    clear: (folder, but) => both((one) => one.clear(folder, but)),
    staleFolders: async (prefix, since) => [
      ...new Set([...(await first.staleFolders(prefix, since)), ...(await second.staleFolders(prefix, since))]),
    ],
    link: (file) => first.link(file),
    probe: () => both((one) => one.probe()),
    close() {
      first.close()
      second.close()
    },
  }
}
