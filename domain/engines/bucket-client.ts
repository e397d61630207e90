import type { S3Client } from '@aws-sdk/client-s3'
import { storeFault } from '#domain/engines/store-fault.ts'
import type { BucketSettings } from '#domain/kernel/bucket-settings.ts'
import { sayBucket } from '#domain/kernel/store-address.ts'

/** A connection within a data centre stands in milliseconds. */
const CONNECT_MS = 5000
/** A socket on which nothing comes. */
const SILENCE_MS = 10_000
/** A whole call, tries and pauses included: a document is a few megabytes, and somebody may wait for it. */
const CALL_MS = 30_000
/** Tries of a call: the pauses between them double from 0.1 s, where the service asks for patience from 0.5 s. */
const ATTEMPTS = 4
/** Documents are served one by one, and checked eight at a time. */
const SOCKETS = 32

type Sdk = typeof import('@aws-sdk/client-s3')

interface Connected {
  sdk: Sdk
  client: S3Client
  /** When the call has taken too long. */
  abortSignal: AbortSignal
}

/** A bucket as it is asked. */
export interface BucketClient {
  settings: BucketSettings
  /** As a sentence begins: The document store s3://BUCKET/PREFIX */
  name: string
  /** Where the file of a key lies. */
  at(key: string): { Bucket: string; Key: string }
  /** @throws StoreFault for whatever goes wrong */
  ask<Answer>(call: (connected: Connected) => Promise<Answer>): Promise<Answer>
  close(): void
}

/**
 * The client is loaded by the first call, and nothing is sent before.
 * @param store what lies in the bucket, such as `document store`: faults name it
 */
export function openClient(settings: BucketSettings, store: string): BucketClient {
  const name = `The ${store} ${sayBucket(settings)}`
  let opened: ReturnType<typeof connect> | undefined
  return {
    settings,
    name,
    at(key) {
      if (!/^[A-Za-z0-9./-]+$/.test(key) || key.split('/').some((part) => /^\.*$/.test(part)))
        throw new Error('a document key leaves its folder')
      return { Bucket: settings.bucket, Key: settings.prefix + key }
    },
    async ask(call) {
      try {
        opened ??= connect(settings)
        return await call({ ...(await opened), abortSignal: AbortSignal.timeout(CALL_MS) })
      } catch (fault) {
        throw storeFault(name, fault)
      }
    },
    close() {
      void opened?.then(({ client }) => client.destroy()).catch(() => {})
    },
  }
}

async function connect({ endpoint, region, path_style, credentials }: BucketSettings) {
  // By its default: packed, a CommonJS module has no other name.
  const { default: sdk } = await import('@aws-sdk/client-s3')
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
