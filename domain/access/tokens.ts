import { createHmac, hash, randomInt } from 'node:crypto'
import type { Ability } from '#domain/access/abilities.ts'
import type { Tx } from '#domain/engines/database.ts'

export interface NewToken {
  team_id: string
  name: string
  abilities: Ability[]
  /** Null: the token does not expire. */
  expires_at: Date | null
}

/** A token as issued: the only time that its secret is visible. */
export interface IssuedToken extends NewToken {
  token: string
  prefix: string
  created_at: Date
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 30 letters of base 62 are 178 bits, which cannot be guessed. */
const SECRET_LETTERS = 30
/** Six letters of base 62 hold the 32 bits of a checksum. */
const CHECKSUM_LETTERS = 6
/** `wt_` and six letters: enough to distinguish a team's tokens without revealing one. */
const PREFIX_LETTERS = 9
/** A prefix is one of 62^6: a collision is rare, and five in a row mean a broken random source. */
const DRAWS_MAX = 5

/** Issues a token: `wt_`, 30 random letters, 6 letters of checksum. Only its SHA-256 is stored. */
export async function issueToken(db: Pick<Tx, 'token'>, wanted: NewToken, draw: () => string = generateToken): Promise<IssuedToken> {
  for (let attempt = 1; attempt <= DRAWS_MAX; attempt++) {
    const token = draw()
    const prefix = prefixOf(token)
    const [kept] = await db.token.createManyAndReturn({ data: [{ ...wanted, prefix, hash: hashToken(token) }], skipDuplicates: true })
    if (kept) return { ...wanted, token, prefix, created_at: kept.created_at }
  }
  throw new Error(`${DRAWS_MAX} generated tokens in a row had a prefix that is already in use`)
}

/** Revokes a token by prefix, at once and permanently. Returns whether a token with that prefix was not yet revoked. */
export async function revokeToken(db: Pick<Tx, '$executeRaw'>, prefix: string): Promise<boolean> {
  const revoked = await db.$executeRaw`UPDATE tokens SET revoked_at = now() WHERE prefix = ${prefix} AND revoked_at IS NULL`
  return revoked === 1
}

/** Prefix of a credential: a team's token, or an operator key. */
type Kind = 'wt' | 'wo'

/** Checks format and checksum, so that a mistyped token is refused without a database query. */
export function tokenLooksRight(text: string, kind: Kind = 'wt'): boolean {
  if (!text.startsWith(`${kind}_`) || !/^.._[0-9A-Za-z]{36}$/.test(text)) return false
  const body = text.slice(0, -CHECKSUM_LETTERS)
  return text.endsWith(checksum(body))
}

/** Returns the prefix that identifies a token in lists and logs. It is public: nothing is granted or counted by it. */
export function prefixOf(token: string): string {
  return token.slice(0, PREFIX_LETTERS)
}

/** SHA-256 of the whole token, hex. The secret is 178 random bits, so no slow hash is needed. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

/** Makes a new random token: its prefix, an underscore and SECRET_LETTERS letters and digits. It is shown once and stored as a hash only. */
export function generateToken(kind: Kind = 'wt'): string {
  return tokenOf(kind, Array.from({ length: SECRET_LETTERS }, () => BASE62[randomInt(BASE62.length)]).join(''))
}

/** Derives a token from a secret key and a text that is used for nothing else: it can be derived again, so it is not stored. */
export function derivedToken(key: Buffer, text: string): string {
  let letters = ''
  for (let block = 0; letters.length < SECRET_LETTERS; block++)
    // Skip bytes beyond the last full 62, which would favour some letters.
    for (const byte of createHmac('sha256', key).update(`token ${block} ${text}`).digest())
      if (byte < UNBIASED_BYTES) letters += BASE62[byte % BASE62.length]
  return tokenOf('wt', letters.slice(0, SECRET_LETTERS))
}

const UNBIASED_BYTES = 256 - (256 % BASE62.length)

function tokenOf(kind: Kind, secret: string): string {
  const body = `${kind}_${secret}`
  return body + checksum(body)
}

/** The first 32 bits of the SHA-256, in base 62. */
function checksum(body: string): string {
  let rest = Number.parseInt(hash('sha256', body, 'hex').slice(0, 8), 16)
  let letters = ''
  for (let place = 0; place < CHECKSUM_LETTERS; place++) {
    letters = BASE62[rest % BASE62.length] + letters
    rest = Math.floor(rest / BASE62.length)
  }
  return letters
}
