import { createHash, randomUUID } from 'node:crypto'
import type { PutObjectCommandInput, PutObjectCommandOutput } from '@aws-sdk/client-s3'
import type { Blobs } from '#domain/engines/blobs.ts'
import { nameOf, StoreFault, statusOf, storeFault } from '#domain/engines/store-fault.ts'
import type { BucketSettings } from '#domain/kernel/config.ts'
import { type BucketAddress, sayBucket } from '#domain/kernel/store-address.ts'

/** A connection within a data centre stands in milliseconds. */
const CONNECT_MS = 5000
/** A socket on which nothing comes. */
const SILENCE_MS = 10_000
/** A whole call, tries and pauses included: a document is a few megabytes, and somebody may wait for it. */
const CALL_MS = 30_000
/** Tries of a call: the pauses between them double from 0.1 s, where the service asks for patience from 0.5 s. */
const ATTEMPTS = 4
/** Tries to read a body that breaks off: the client tries again only until it begins. */
const READS = 3
/** Documents are served one by one, checked eight at a time, moved as many. */
const SOCKETS = 32

/**
 * The document store in a bucket of an S3 service: one object a file, which is there whole or not at all. Nothing is sent before the
 * first call, and the client is loaded by it.
 */
export function openBucket(settings: BucketSettings): Blobs {
  let opened: ReturnType<typeof connect> | undefined
  const connected = () => (opened ??= connect(settings))
  const { bucket: Bucket, prefix } = settings
  const at = (key: string) => {
    if (!/^[A-Za-z0-9./-]+$/.test(key) || key.split('/').some((part) => /^\.*$/.test(part)))
      throw new Error('a document key leaves its folder')
    return { Bucket, Key: prefix + key }
  }
  async function ask<Answer>(call: (s3: Awaited<ReturnType<typeof connect>>, signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    try {
      return await call(await connected(), AbortSignal.timeout(CALL_MS))
    } catch (fault) {
      throw storeFault(settings, fault)
    }
  }

  /** Null where there is none. A body that breaks off is read again. */
  function read(key: string): Promise<Buffer | null> {
    return ask(async ({ sdk, client }, abortSignal) => {
      for (let tried = 1; ; tried++) {
        try {
          const { Body, ContentLength } = await client.send(new sdk.GetObjectCommand(at(key)), { abortSignal })
          const bytes = Buffer.from((await Body?.transformToByteArray()) ?? [])
          if (ContentLength === undefined || bytes.length === ContentLength) return bytes
          if (tried === READS) throw brokenOff(settings)
        } catch (fault) {
          if (nameOf(fault) === 'NoSuchKey') return null
          // With a status the service has answered, after every try of the client's.
          if (tried === READS || abortSignal.aborted || statusOf(fault) !== undefined) throw fault
        }
      }
    })
  }

  const send = (input: PutObjectCommandInput) =>
    ask(({ sdk, client }, abortSignal) => client.send(new sdk.PutObjectCommand(input), { abortSignal }))

  /** Never puts a file in the place of one that is there, unless that one holds something else: a key is the hash of what it names. */
  async function sendOnce(key: string, input: PutObjectCommandInput, bytes: Buffer): Promise<PutObjectCommandOutput | null> {
    const answer = await ask(({ sdk, client }, abortSignal) =>
      client.send(new sdk.PutObjectCommand({ ...input, IfNoneMatch: '*' }), { abortSignal }).catch((fault: unknown) => {
        const refused = REFUSED_CONDITION[statusOf(fault) ?? 0]
        if (refused) return refused
        throw fault
      }),
    )
    if (typeof answer !== 'string') return answer
    if (answer === 'there' && (await read(key))?.equals(bytes)) return null
    return send(input)
  }

  async function remove(key: string): Promise<void> {
    await ask(({ sdk, client }, abortSignal) => client.send(new sdk.DeleteObjectCommand(at(key)), { abortSignal }))
  }

  async function put(key: string, bytes: Buffer): Promise<string> {
    const sha256 = createHash('sha256').update(bytes).digest()
    const answer = await sendOnce(key, { ...at(key), ...describe(settings, key, bytes), ChecksumSHA256: sha256.toString('base64') }, bytes)
    if (answer && !isProved(answer, bytes, sha256) && !(await read(key))?.equals(bytes)) {
      await remove(key)
      throw new StoreFault(`The document store ${sayBucket(settings)} kept other bytes than were sent.`, true)
    }
    return sha256.toString('hex')
  }

  return {
    put,
    get: read,
    remove,
    async clear(folder, but) {
      for (const key of await list(`${folder}/`)) if (key !== but) await remove(key)
    },
    async probe() {
      const [key, bytes] = [`probe-${randomUUID()}`, Buffer.from('written to see whether documents can be stored')]
      await put(key, bytes)
      const found = await read(key)
      await list('probe-')
      await remove(key)
      if (!found?.equals(bytes)) throw new StoreFault(`The document store ${sayBucket(settings)} does not give back what it took.`, true)
    },
    close() {
      void opened?.then(({ client }) => client.destroy()).catch(() => {})
    },
  }

  /** Every key that begins so. */
  function list(begin: string): Promise<string[]> {
    return ask(async ({ sdk, client }, abortSignal) => {
      const keys: string[] = []
      for await (const { Contents = [] } of sdk.paginateListObjectsV2({ client }, { Bucket, Prefix: prefix + begin }, { abortSignal }))
        for (const { Key } of Contents) if (Key) keys.push(Key.slice(prefix.length))
      return keys
    })
  }
}

/** What a refused condition says: that an object is there or on its way, or that the service knows no conditions. */
const REFUSED_CONDITION: Record<number, 'there' | 'unknown'> = { 409: 'there', 412: 'there', 501: 'unknown' }

async function connect({ endpoint, region, path_style, credentials }: BucketSettings) {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    ...(endpoint !== null && { endpoint }),
    ...(region !== null && { region }),
    ...(credentials && {
      credentials: {
        accessKeyId: credentials.access_key,
        secretAccessKey: credentials.secret_key,
        ...(credentials.session_token !== null && { sessionToken: credentials.session_token }),
      },
    }),
    forcePathStyle: path_style,
    maxAttempts: ATTEMPTS,
    // Of each file the SHA-256 is sent, and judged by whoever reads it; services that are not Amazon's refuse checksums that nobody asked for.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: SILENCE_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: SOCKETS },
      httpsAgent: { maxSockets: SOCKETS },
    },
  })
  return { sdk, client }
}

function describe({ encryption, kms_key }: BucketAddress, key: string, bytes: Buffer) {
  return {
    Body: bytes,
    ContentLength: bytes.length,
    ContentType: key.endsWith('.pdf') ? 'application/pdf' : 'application/octet-stream',
    ...(encryption !== null && { ServerSideEncryption: encryption }),
    ...(kms_key !== null && { SSEKMSKeyId: kms_key }),
  }
}

/** Whether the answer itself says that every byte came: by its SHA-256, or by the MD5 that services without checksums name an object by. */
function isProved({ ChecksumSHA256, ETag }: PutObjectCommandOutput, bytes: Buffer, sha256: Buffer): boolean {
  if (ChecksumSHA256) return ChecksumSHA256 === sha256.toString('base64')
  return ETag?.replaceAll('"', '') === createHash('md5').update(bytes).digest('hex')
}

const brokenOff = (settings: BucketAddress) =>
  new StoreFault(`The document store ${sayBucket(settings)} cannot be used: what it answers breaks off.`, true)
