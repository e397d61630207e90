/** A bucket of an S3 service, as in `WEATHER_BLOBS=s3://BUCKET/PREFIX?OPTIONS`. */
export interface BucketAddress {
  bucket: string
  /** Prefix of every key: empty, or with a trailing slash. */
  prefix: string
  /** URL of a service other than Amazon's, without a trailing slash. */
  endpoint: string | null
  region: string | null
  /** Whether the bucket is in the path of a URL, or in its host name. */
  path_style: boolean
  /** Server-side encryption of objects; null: the bucket's default. */
  encryption: 'AES256' | 'aws:kms' | null
  /** Id of the key for aws:kms; null: the service's own. */
  kms_key: string | null
  /** Whether a document link returns the bytes, or redirects to the bucket. */
  downloads: 'stream' | 'redirect'
}

/** Reads one option into the address; returns what is wrong with it, or null. */
type Option = (address: BucketAddress, value: string) => string | null

const options: Record<string, Option> = {
  endpoint(address, value) {
    const url = URL.canParse(value) ? new URL(value) : null
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
      return 'endpoint must be an address beginning with http:// or https://, without a user and a query'
    address.endpoint = url.href.replace(/\/+$/, '')
    return null
  },
  region(address, value) {
    address.region = value
    return /^[a-z0-9-]{1,40}$/.test(value) ? null : 'region must be a name such as us-east-1'
  },
  path_style(address, value) {
    address.path_style = value === '1'
    return value === '1' || value === '0' ? null : 'path_style must be 1 or 0'
  },
  encryption(address, value) {
    if (value !== 'AES256' && value !== 'aws:kms') return 'encryption must be AES256 or aws:kms'
    address.encryption = value
    return null
  },
  kms_key(address, value) {
    address.kms_key = value
    return value ? null : 'kms_key must be the id of a key'
  },
  downloads(address, value) {
    if (value !== 'stream' && value !== 'redirect') return 'downloads must be stream or redirect'
    address.downloads = value
    return null
  },
}

/**
 * Reads the address of a bucket.
 * @returns the address, or what is wrong in words; these repeat nothing of the text, which may contain a key
 */
export function readBucketAddress(text: string): BucketAddress | string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 's3:' || url.hash || url.port) return SHAPE
  if (url.username || url.password) return 'must hold no key: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are settings of their own'
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname))
    return `${SHAPE}, with a bucket of 3 to 63 small letters, digits, dots and hyphens`
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  if (!/^[A-Za-z0-9!_.()/-]*$/.test(prefix)) return `${SHAPE}, with a prefix of letters, digits and hyphens`
  const address: BucketAddress = {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint: null,
    region: null,
    // Most services other than Amazon's have no host name for each bucket.
    path_style: url.searchParams.has('endpoint'),
    encryption: null,
    kms_key: null,
    downloads: 'stream',
  }
  for (const [name, value] of url.searchParams) {
    const option = Object.hasOwn(options, name) ? options[name] : undefined
    const wrong = option ? option(address, value) : `may have the options ${Object.keys(options).join(', ')}, and no other`
    if (wrong) return option ? `: ${wrong}` : wrong
  }
  if (address.kms_key && address.encryption !== 'aws:kms') return ': kms_key is for encryption=aws:kms'
  return address
}

const SHAPE = 'must be a folder, or s3://BUCKET/PREFIX?endpoint=ADDRESS&region=NAME'

/** Returns bucket, prefix and host for messages, without the options, which may be confidential. */
export function describeBucket({ bucket, prefix, endpoint }: Pick<BucketAddress, 'bucket' | 'prefix' | 'endpoint'>): string {
  const at = endpoint === null ? '' : ` at ${new URL(endpoint).host}`
  return `s3://${bucket}/${prefix}`.replace(/\/$/, '') + at
}
