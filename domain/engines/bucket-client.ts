import type { S3Client } from '@aws-sdk/client-s3'
import { storeFault } from '#domain/engines/store-fault.ts'
import type { BucketSettings } from '#domain/kernel/bucket-settings.ts'
import { describeBucket } from '#domain/kernel/store-address.ts'

/** Within a data centre a connection takes milliseconds. */
const CONNECT_MS = 5000
/** Timeout of a silent socket. */
const SILENCE_MS = 10_000
/** Timeout of a whole call, retries and pauses included: a document is a few megabytes, and somebody may wait for it. */
const CALL_MS = 30_000
/** Attempts of a call: the pauses between them double from 0.1 s, or from 0.5 s if the service throttles. */
const ATTEMPTS = 4
/** Documents are served one by one, and checked eight at once. */
const SOCKETS = 32

type Sdk = typeof import('@aws-sdk/client-s3')

interface Connected {
  sdk: Sdk
  client: S3Client
  /** Aborts when the call takes too long. */
  abortSignal: AbortSignal
}

/** Access to one bucket. */
export interface BucketClient {
  settings: BucketSettings
  /** As the start of a sentence: The document store s3://BUCKET/PREFIX */
  name: string
  /** The location of a key's file. */
  at(key: string): { Bucket: string; Key: string }
  /** @throws StoreFault for any failure */
  ask<Answer>(call: (connected: Connected) => Promise<Answer>): Promise<Answer>
  close(): void
}

/**
 * Opens a bucket. The first call loads the client; nothing is sent before.
 * @param store what the bucket contains, such as `document store`: faults name it
 */
export function openClient(settings: BucketSettings, store: string): BucketClient {
  const name = `The ${store} ${describeBucket(settings)}`
  let opened: ReturnType<typeof connect> | undefined
  return {
    settings,
    name,
    at(key) {
      if (!/^[A-Za-z0-9./-]+$/.test(key) || key.split('/').some((part) => /^\.*$/.test(part)))
        throw new Error('a document key is outside its folder')
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
  // By its default export: in the bundle a CommonJS module has no other.
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
    // Uploads send the SHA-256 explicitly, and readers verify it; services other than Amazon's reject checksums that they did not request.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      // `requestTimeout` would end a long upload, too.
      socketTimeout: SILENCE_MS,
      httpAgent: { maxSockets: SOCKETS },
      httpsAgent: { maxSockets: SOCKETS },
    },
  })
  return { sdk, client }
}
