import { createHash, randomBytes } from 'node:crypto'

/** Names the form of an entry, so that no other hash is taken for one. */
const FORM = 'weather-report-log/1\n'
/** As long as the hash: nobody finds a fingerprint by trying salts. */
const SALT_BYTES = 32

export const newSalt = () => randomBytes(SALT_BYTES)

/**
 * What stands in the log for a report: SHA-256 over the form, the report's salt (32 bytes) and its fingerprint (32 bytes). Places and days
 * can be guessed and their fingerprints computed, salts cannot: the entry says nothing to whoever does not hold the report.
 * @param fingerprint 64 hex digits
 */
export function logEntry(salt: Buffer, fingerprint: string): Buffer {
  return createHash('sha256').update(FORM, 'utf8').update(salt).update(Buffer.from(fingerprint, 'hex')).digest()
}
