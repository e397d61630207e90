import { createHash } from 'node:crypto'
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { ACCESS_KEY, type ObjectStore, SECRET_KEY } from './object-store.ts'

/**
 * Copies every object of a bucket into the bucket of the same name on another service, as `aws s3 sync` does.
 * Returns the number of objects.
 */
export async function copyObjects(from: ObjectStore, to: ObjectStore): Promise<number> {
  const [source, target] = [clientOf(from), clientOf(to)]
  const Bucket = new URL(from.address()).hostname
  let copied = 0
  let page: string | undefined
  do {
    const listed = await source.send(new ListObjectsV2Command({ Bucket, ...(page && { ContinuationToken: page }) }))
    for (const { Key } of listed.Contents ?? []) {
      const { Body } = await source.send(new GetObjectCommand({ Bucket, Key }))
      const bytes = await Body?.transformToByteArray()
      if (!bytes) throw new Error(`${Key} has no bytes`)
      const ChecksumSHA256 = createHash('sha256').update(bytes).digest('base64')
      await target.send(new PutObjectCommand({ Bucket, Key, Body: bytes, ChecksumSHA256 }))
      copied++
    }
    page = listed.NextContinuationToken
  } while (page)
  for (const client of [source, target]) client.destroy()
  return copied
}

const clientOf = ({ endpoint }: ObjectStore) =>
  new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY },
  })
