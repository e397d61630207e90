import type { S3Client } from '@aws-sdk/client-s3'
import { storeFault } from '#domain/engines/store-fault.ts'
import type { BucketSettings } from '#domain/kernel/bucket-settings.ts'
import { describeBucket } from '#domain/kernel/store-address.ts'

/** Within a data centre a connection takes milliseconds. */
const CONNECT_MS = 5000
/** Attempts of a call: the pauses between them double from 0.1 s, or from 0.5 s if the service throttles. */
const ATTEMPTS = 4
/** Documents are served one by one, and checked eight at once. */
const SOCKETS = 32

/** How long a call may take. */
export interface CallLimits {
  /** Timeout of a silent socket. */
  silence_ms: number
  /** Timeout of a whole call, retries and pauses included: somebody may wait for it. */
  call_ms: number
  /** A call gets more time for the bytes that it transfers: as much as they take on the slowest useful line. */
  bytes_per_ms: number
}

/** The slowest line has 2 Mbit/s. */
const LIMITS: CallLimits = { silence_ms: 10_000, call_ms: 30_000, bytes_per_ms: 256 }

type Sdk = typeof import('@aws-sdk/client-s3')

interface Connected {
  sdk: Sdk
  client: S3Client
  /** Aborts when the call takes too long. */
  abortSignal: AbortSignal
  /** Gives the call the time to transfer so many bytes. */
  allow(bytes: number): void
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
export function openClient(settings: BucketSettings, store: string, limits: CallLimits = LIMITS): BucketClient {
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
      const { stop, ...time } = startTimeout(limits)
      try {
        opened ??= connect(settings, limits)
        return await call({ ...(await opened), ...time })
      } catch (fault) {
        throw storeFault(name, fault)
      } finally {
        stop()
      }
    },
    close() {
      void opened?.then(({ client }) => client.destroy()).catch(() => {})
    },
  }
}

function startTimeout({ call_ms, bytes_per_ms }: CallLimits): Pick<Connected, 'abortSignal' | 'allow'> & { stop(): void } {
  const aborting = new AbortController()
  const abort = () => aborting.abort()
  let ends = performance.now() + call_ms
  let timer = setTimeout(abort, call_ms)
  return {
    abortSignal: aborting.signal,
    allow(bytes) {
      ends += bytes / bytes_per_ms
      clearTimeout(timer)
      timer = setTimeout(abort, ends - performance.now())
    },
    stop: () => clearTimeout(timer),
  }
}

async function connect({ endpoint, region, path_style, credentials }: BucketSettings, { silence_ms }: CallLimits) {
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
      socketTimeout: silence_ms,
      httpAgent: { maxSockets: SOCKETS },
      httpsAgent: { maxSockets: SOCKETS },
    },
  })
  return { sdk, client }
}
