import { createHash, randomBytes } from 'node:crypto'

/** Prefix that identifies the format of an entry, so that no other hash can be mistaken for one. */
const FORM = 'weather-report-log/1\n'
/** As long as the hash, so that nobody finds a fingerprint by trying salts. */
const SALT_BYTES = 32

/** Makes the random salt of a report's entry: 32 bytes. */
export const newSalt = () => randomBytes(SALT_BYTES)

/**
 * Returns a report's entry in the log: SHA-256 over the format, the report's salt (32 bytes) and its fingerprint (32 bytes).
 * Places and days can be guessed and their fingerprints computed, but salts cannot: the entry reveals nothing to anyone who
 * does not have the report.
 * @param fingerprint 64 hex digits
 */
export function logEntry(salt: Buffer, fingerprint: string): Buffer {
  return createHash('sha256').update(FORM, 'utf8').update(salt).update(Buffer.from(fingerprint, 'hex')).digest()
}
