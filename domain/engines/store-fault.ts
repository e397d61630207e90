import { codeOf, hasFacts } from '#domain/kernel/fault.ts'

/**
 * Explains in words why a bucket cannot be used. Of the service's response only the error code and the request id (for its support)
 * are kept: the response may contain keys and signed data.
 */
export class StoreFault extends Error {
  /** isEngineUnavailable recognises this code: the same request can succeed later. */
  readonly code = 'STORE_AWAY'
  constructor(
    message: string,
    /** False if only a changed setting helps. */
    readonly passing: boolean,
  ) {
    super(message)
    this.name = 'StoreFault'
  }
}

/** Errors that waiting does not fix. */
const settingMessages: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket',
  InvalidBucketName: 'there can be no bucket of this name',
  InvalidAccessKeyId: 'it does not know AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY does not belong to AWS_ACCESS_KEY_ID',
  InvalidToken: 'it does not accept AWS_SESSION_TOKEN',
  ExpiredToken: 'AWS_SESSION_TOKEN has expired',
  AccessDenied: 'the key may not do this: it needs s3:GetObject, s3:PutObject and s3:DeleteObject on its objects, and s3:ListBucket',
  Forbidden: 'the key may not do this',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  AuthorizationHeaderMalformed: 'the bucket is in another region',
  PermanentRedirect: 'the bucket is in another region, or at another endpoint',
  IllegalLocationConstraintException: 'the bucket is in another region',
  CredentialsProviderError: 'there is no key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine or the container a role',
  InvalidEncryptionAlgorithmError: 'it does not support the value of encryption=',
  KMSDisabledException: 'the key of kms_key= is disabled',
  KMSNotFoundException: 'it does not know the key of kms_key=',
}

/** Temporary errors. */
const temporaryMessages: Record<string, string> = {
  SlowDown: 'it asks for fewer requests',
  ServiceUnavailable: 'it asks for fewer requests',
  TooManyRequests: 'it asks for fewer requests',
  InternalError: 'it has an internal error',
  BadDigest: 'the bytes that arrived differ from those that were sent',
  XAmzContentSHA256Mismatch: 'the bytes that arrived differ from those that were sent',
  XAmzContentChecksumMismatch: 'the bytes that arrived differ from those that were sent',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut off',
  ENOTFOUND: 'its host name does not resolve',
  EAI_AGAIN: 'the name server does not respond',
  EHOSTUNREACH: 'there is no route to its host',
  TimeoutError: 'it does not respond in time',
  AbortError: 'it does not respond in time',
}

/**
 * Returns the StoreFault for anything thrown.
 * @param store kind and location, as the start of a sentence: The document store s3://BUCKET/PREFIX
 */
export function storeFault(store: string, fault: unknown): StoreFault {
  if (fault instanceof StoreFault) return fault
  const names = [nameOf(fault), codeOf(fault)].filter((name) => name !== undefined)
  const settingCode = names.find((name) => name in settingMessages)
  const temporaryCode = names.find((name) => name in temporaryMessages)
  const reason = settingCode
    ? settingMessages[settingCode]
    : temporaryCode
      ? temporaryMessages[temporaryCode]
      : `it answered ${answerText(fault, names[0])}`
  return new StoreFault(`${store} cannot be used: ${reason}${requestText(fault)}.`, !settingCode)
}

/** Returns the error name of the service's response, or of a local error. */
export function nameOf(fault: unknown): string | undefined {
  return fault instanceof Error && fault.name !== 'Error' ? fault.name : undefined
}

interface Metadata {
  httpStatusCode?: unknown
  requestId?: unknown
}

function metadataOf(fault: unknown): Metadata {
  return hasFacts(fault) && '$metadata' in fault && typeof fault.$metadata === 'object' ? (fault.$metadata ?? {}) : {}
}

/** Returns the status of the service's response; undefined if there was none. */
export function statusOf(fault: unknown): number | undefined {
  const { httpStatusCode } = metadataOf(fault)
  return typeof httpStatusCode === 'number' ? httpStatusCode : undefined
}

function answerText(fault: unknown, name: string | undefined): string {
  const status = statusOf(fault)
  const code = name && /^[A-Za-z0-9_]{1,60}$/.test(name) ? name : 'an error without a code'
  return status === undefined ? code : `${status} ${code}`
}

function requestText(fault: unknown): string {
  const { requestId } = metadataOf(fault)
  return typeof requestId === 'string' && /^[A-Za-z0-9-]{1,100}$/.test(requestId) ? ` (its request ${requestId})` : ''
}
