import { openObjectStore } from '../../support/object-store.ts'

/** The S3 service of the tests as a program: what it keeps lies in /objects, and outlives it. */
const store = await openObjectStore('documents', { host: '0.0.0.0', port: 9000, folder: '/objects' })
console.log(`a bucket at ${store.endpoint}`)
process.once('SIGTERM', () => process.exit(0))
