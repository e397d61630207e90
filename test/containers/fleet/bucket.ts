import { openObjectStore } from '../../support/object-store.ts'

/** The tests' S3 service as a program: its objects are in /objects, and outlive it. */
const store = await openObjectStore('documents', { host: '0.0.0.0', port: 9000, folder: '/objects' })
console.log(`a bucket at ${store.endpoint}`)
process.once('SIGTERM', () => process.exit(0))
