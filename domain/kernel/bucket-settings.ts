import type { BucketAddress } from '#domain/kernel/store-address.ts'

/** A bucket and the credentials to access it; null: the role of the machine or the container. */
export interface BucketSettings extends BucketAddress {
  credentials: { access_key: string; secret_key: string; session_token: string | null } | null
}

/** The settings that are read. */
interface StoreSettings {
  WEATHER_BLOBS?: string | BucketAddress | undefined
  WEATHER_BLOBS_ALSO?: string | BucketAddress | undefined
  ARCHIVE_FILES?: string | BucketAddress | undefined
  AWS_REGION?: string | undefined
  AWS_ACCESS_KEY_ID?: string | undefined
  AWS_SECRET_ACCESS_KEY?: string | undefined
  AWS_SESSION_TOKEN?: string | undefined
}

/** Returns the bucket that a setting names, with its credentials; null for a folder; or a sentence about what is missing. */
export function bucketOf(
  s: StoreSettings | undefined,
  setting: 'WEATHER_BLOBS' | 'WEATHER_BLOBS_ALSO' | 'ARCHIVE_FILES',
): BucketSettings | string | null {
  const address = s?.[setting]
  if (!s || typeof address !== 'object') return null
  const { AWS_ACCESS_KEY_ID: access_key, AWS_SECRET_ACCESS_KEY: secret_key, AWS_SESSION_TOKEN: session_token = null } = s
  const region = address.region ?? s.AWS_REGION ?? (address.endpoint === null ? null : ANY_REGION)
  if (region === null) return `${setting} must name the region of its bucket, as s3://BUCKET?region=NAME, or AWS_REGION must`
  if (access_key && !secret_key) return 'AWS_SECRET_ACCESS_KEY is required with AWS_ACCESS_KEY_ID'
  if (secret_key && !access_key) return 'AWS_ACCESS_KEY_ID is required with AWS_SECRET_ACCESS_KEY'
  if (session_token && !access_key) return 'AWS_ACCESS_KEY_ID is required with AWS_SESSION_TOKEN'
  return { ...address, region, credentials: access_key && secret_key ? { access_key, secret_key, session_token } : null }
}

/** The region that services without regions accept. */
const ANY_REGION = 'us-east-1'
