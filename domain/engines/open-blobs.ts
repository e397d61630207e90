import type { Blobs } from '#domain/engines/blobs.ts'
import { openBucket } from '#domain/engines/bucket.ts'
import { openFolder } from '#domain/engines/folder.ts'
import type { Config } from '#domain/kernel/config.ts'

/** Opens the document store: the bucket that is set, else the folder. Nothing is asked of either yet. */
export function openBlobs({ blobs, bucket }: Pick<Config, 'blobs' | 'bucket'>): Blobs {
  return bucket ? openBucket(bucket) : openFolder(blobs)
}
