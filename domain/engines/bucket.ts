import { createHash, randomUUID } from 'node:crypto'
import type { PutObjectCommandInput, PutObjectCommandOutput } from '@aws-sdk/client-s3'
import type { Blobs, LinkedFile } from '#domain/engines/blobs.ts'
import { type BucketClient, type CallLimits, openClient } from '#domain/engines/bucket-client.ts'
import { nameOf, StoreFault, statusOf } from '#domain/engines/store-fault.ts'
import type { BucketSettings } from '#domain/kernel/bucket-settings.ts'
import type { BucketAddress } from '#domain/kernel/store-address.ts'

/** Lifetime of a signed URL: it is followed at once. */
const LINK_LIFETIME_S = 60
/** Attempts to read a body that breaks off: the client itself retries only until the body starts. */
const READ_ATTEMPTS = 3

/**
 * Opens a store in a bucket of an S3 service: one object a file, complete or absent.
 * @param store what the bucket contains, as faults name it
 */
export function openBucket(settings: BucketSettings, store = 'document store', limits?: CallLimits): Blobs {
  const bucket = openClient(settings, store, limits)
  return {
    put: (key, bytes) => put(bucket, key, bytes),
    get: (key) => read(bucket, key),
    read: (key, offset, length) => read(bucket, key, `bytes=${offset}-${offset + length - 1}`),
    remove: (key) => remove(bucket, key),
    async clear(folder, but) {
      for (const { key } of await list(bucket, `${folder}/`)) if (key !== but) await remove(bucket, key)
    },
    async staleFolders(prefix, since) {
      const newest = new Map<string, Date>()
      for (const { key, written_at } of await list(bucket, prefix)) {
        const folder = key.slice(0, key.lastIndexOf('/'))
        if (written_at > (newest.get(folder) ?? 0)) newest.set(folder, written_at)
      }
      return [...newest].flatMap(([folder, written_at]) => (written_at < since ? [folder] : []))
    },
    link: (file) => link(bucket, file),
    probe: () => probe(bucket),
    close: () => bucket.close(),
  }
}

async function put(bucket: BucketClient, key: string, bytes: Buffer): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest()
  const input = { ...bucket.at(key), ...describe(bucket.settings, key, bytes), ChecksumSHA256: sha256.toString('base64') }
  const answer = await sendOnce(bucket, key, input, bytes)
  if (answer && !isProved(answer, bytes, sha256) && !(await read(bucket, key))?.equals(bytes)) {
    await remove(bucket, key)
    throw new StoreFault(`${bucket.name} stored other bytes than were sent.`, true)
  }
  return sha256.toString('hex')
}

/** Never overwrites an existing file unless its content differs: a key is the hash of its content. */
async function sendOnce(
  bucket: BucketClient,
  key: string,
  input: PutObjectCommandInput,
  bytes: Buffer,
): Promise<PutObjectCommandOutput | null> {
  const answer = await bucket.ask(({ sdk, client, abortSignal, allow }) => {
    allow(bytes.length)
    return client.send(new sdk.PutObjectCommand({ ...input, IfNoneMatch: '*' }), { abortSignal }).catch((fault: unknown) => {
      const refused = REFUSED_CONDITION[statusOf(fault) ?? 0]
      if (refused) return refused
      throw fault
    })
  })
  if (typeof answer !== 'string') return answer
  if (answer === 'there' && (await read(bucket, key))?.equals(bytes)) return null
  return bucket.ask(({ sdk, client, abortSignal, allow }) => {
    allow(bytes.length)
    return client.send(new sdk.PutObjectCommand(input), { abortSignal })
  })
}

/** Meaning of a refused condition: the object exists or is being written, or the service does not support conditions. */
const REFUSED_CONDITION: Record<number, 'there' | 'unknown'> = { 409: 'there', 412: 'there', 501: 'unknown' }

function describe({ encryption, kms_key }: BucketAddress, key: string, bytes: Buffer) {
  return {
    Body: bytes,
    ContentLength: bytes.length,
    ContentType: key.endsWith('.pdf') ? 'application/pdf' : 'application/octet-stream',
    ...(encryption !== null && { ServerSideEncryption: encryption }),
    ...(kms_key !== null && { SSEKMSKeyId: kms_key }),
  }
}

/** Whether the response proves that every byte arrived: by SHA-256, or by the MD5 that services without checksums use as the ETag. */
function isProved({ ChecksumSHA256, ETag }: PutObjectCommandOutput, bytes: Buffer, sha256: Buffer): boolean {
  if (ChecksumSHA256) return ChecksumSHA256 === sha256.toString('base64')
  return ETag?.replaceAll('"', '') === createHash('md5').update(bytes).digest('hex')
}

/**
 * Reads a file; null if there is none. A body that breaks off is read again.
 * @param Range part of the file (RFC 9110); the whole file by default
 */
function read({ name, at, ask }: BucketClient, key: string, Range?: string): Promise<Buffer | null> {
  return ask(async ({ sdk, client, abortSignal, allow }) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const { Body, ContentLength } = await client.send(new sdk.GetObjectCommand({ ...at(key), ...(Range && { Range }) }), {
          abortSignal,
        })
        allow(ContentLength ?? 0)
        const bytes = Buffer.from((await Body?.transformToByteArray()) ?? [])
        if (ContentLength === undefined || bytes.length === ContentLength) return bytes
        if (attempt === READ_ATTEMPTS) throw truncatedResponse(name)
      } catch (fault) {
        if (nameOf(fault) === 'NoSuchKey') return null
        // The part starts past the file's end.
        if (Range && statusOf(fault) === 416) return Buffer.alloc(0)
        // A status is the service's final response, after all retries of the client.
        if (attempt === READ_ATTEMPTS || abortSignal.aborted || statusOf(fault) !== undefined) throw fault
      }
    }
  })
}

const truncatedResponse = (store: string) => new StoreFault(`${store} cannot be used: its response breaks off.`, true)

async function remove({ at, ask }: BucketClient, key: string): Promise<void> {
  await ask(({ sdk, client, abortSignal }) => client.send(new sdk.DeleteObjectCommand(at(key)), { abortSignal }))
}

/** Lists every key with a prefix, and when it was written. */
function list({ settings: { bucket, prefix }, ask }: BucketClient, key_prefix: string): Promise<{ key: string; written_at: Date }[]> {
  return ask(async ({ sdk, client, abortSignal }) => {
    const keys: { key: string; written_at: Date }[] = []
    // A file without a time counts as new: it must not be taken for a leftover.
    for await (const { Contents = [] } of sdk.paginateListObjectsV2(
      { client },
      { Bucket: bucket, Prefix: prefix + key_prefix },
      { abortSignal },
    ))
      for (const { Key, LastModified } of Contents)
        if (Key) keys.push({ key: Key.slice(prefix.length), written_at: LastModified ?? new Date() })
    return keys
  })
}

async function link({ settings, at, ask }: BucketClient, { key, bytes, sha256, filename }: LinkedFile): Promise<string | null> {
  if (settings.downloads !== 'redirect') return null
  const is_same_file = await ask(async ({ sdk, client, abortSignal }) => {
    try {
      const found = await client.send(new sdk.HeadObjectCommand({ ...at(key), ChecksumMode: 'ENABLED' }), { abortSignal })
      return found.ContentLength === bytes && found.ChecksumSHA256 === Buffer.from(sha256, 'hex').toString('base64')
    } catch (fault) {
      // A response to HEAD has no body, and so no error code.
      if (statusOf(fault) === 404) return false
      throw fault
    }
  })
  if (!is_same_file) return null
  const responseHeaders = {
    ResponseContentDisposition: `attachment; filename="${filename}"`,
    ResponseContentType: 'application/pdf',
    ResponseCacheControl: 'private, no-store',
  }
  return ask(async ({ sdk, client }) => {
    const { default: presigner } = await import('@aws-sdk/s3-request-presigner')
    return presigner.getSignedUrl(client, new sdk.GetObjectCommand({ ...at(key), ...responseHeaders }), { expiresIn: LINK_LIFETIME_S })
  })
}

async function probe(bucket: BucketClient): Promise<void> {
  const [key, bytes] = [`probe-${randomUUID()}`, Buffer.from('written to see whether documents can be stored')]
  await put(bucket, key, bytes)
  let found: Buffer | null
  try {
    found = await read(bucket, key)
    await list(bucket, 'probe-')
  } finally {
    await remove(bucket, key)
  }
  if (!found?.equals(bytes)) throw new StoreFault(`${bucket.name} does not return what was stored.`, true)
}
