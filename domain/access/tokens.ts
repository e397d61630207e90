import { createHash, createHmac, randomInt } from 'node:crypto'
import type { Ability } from '#domain/access/abilities.ts'
import type { Tx } from '#domain/engines/database.ts'

export interface NewToken {
  team_id: string
  name: string
  abilities: Ability[]
  /** Null: the token does not expire. */
  expires_at: Date | null
}

/** A token as issued: the only time that its secret is seen. */
export interface IssuedToken extends NewToken {
  token: string
  prefix: string
  created_at: Date
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 30 letters of base 62 are 178 bits: out of reach of guessing. */
const SECRET_LETTERS = 30
/** Six letters of base 62 hold the 32 bits of a checksum. */
const CHECKSUM_LETTERS = 6
/** `wt_` and six letters: enough to distinguish a team's tokens without revealing one. */
const PREFIX_LETTERS = 9
/** A prefix is one of 62^6: two draws alike are rare, five in a row are a broken source of chance. */
const DRAWS_MAX = 5

/** Issues a token: `wt_`, 30 letters of chance, 6 of checksum. Only its SHA-256 is kept. */
export async function issueToken(db: Pick<Tx, 'token'>, wanted: NewToken, draw: () => string = generateToken): Promise<IssuedToken> {
  for (let attempt = 1; attempt <= DRAWS_MAX; attempt++) {
    const token = draw()
    const prefix = prefixOf(token)
    const [kept] = await db.token.createManyAndReturn({ data: [{ ...wanted, prefix, hash: hashToken(token) }], skipDuplicates: true })
    if (kept) return { ...wanted, token, prefix, created_at: kept.created_at }
  }
  throw new Error(`${DRAWS_MAX} tokens drawn in a row had a prefix that is taken`)
}

/** Revokes by prefix, at once and for good. Answers whether a token in force had that prefix. */
export async function revokeToken(db: Pick<Tx, '$executeRaw'>, prefix: string): Promise<boolean> {
  const revoked = await db.$executeRaw`UPDATE tokens SET revoked_at = now() WHERE prefix = ${prefix} AND revoked_at IS NULL`
  return revoked === 1
}

/** What a credential begins with: a team's token, or a key of the operator. */
type Kind = 'wt' | 'wo'

/** Judges form and checksum: a mistyped token is refused without asking the database. */
export function tokenLooksRight(text: string, kind: Kind = 'wt'): boolean {
  if (!text.startsWith(`${kind}_`) || !/^.._[0-9A-Za-z]{36}$/.test(text)) return false
  const body = text.slice(0, -CHECKSUM_LETTERS)
  return text.endsWith(checksum(body))
}

/** What identifies a token in lists and logs. Anyone may know it: nothing is granted or counted by it. */
export function prefixOf(token: string): string {
  return token.slice(0, PREFIX_LETTERS)
}

/** SHA-256 of the whole token, hex. The secret is 178 random bits, so no slow hash is needed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export function generateToken(kind: Kind = 'wt'): string {
  return tokenOf(kind, Array.from({ length: SECRET_LETTERS }, () => BASE62[randomInt(BASE62.length)]).join(''))
}

/** The token of a secret key and a text that nobody else uses with it: whoever has both knows it, and nothing of it is kept. */
export function derivedToken(key: Buffer, text: string): string {
  let letters = ''
  for (let block = 0; letters.length < SECRET_LETTERS; block++)
    // Beyond the last whole 62 some letters would come more often than others.
    for (const byte of createHmac('sha256', key).update(`token ${block} ${text}`).digest())
      if (byte < FAIR_BYTES) letters += BASE62[byte % BASE62.length]
  return tokenOf('wt', letters.slice(0, SECRET_LETTERS))
}

const FAIR_BYTES = 256 - (256 % BASE62.length)

function tokenOf(kind: Kind, secret: string): string {
  const body = `${kind}_${secret}`
  return body + checksum(body)
}

/** The first 32 bits of the SHA-256, in base 62. */
function checksum(body: string): string {
  let rest = createHash('sha256').update(body).digest().readUInt32BE(0)
  let letters = ''
  for (let place = 0; place < CHECKSUM_LETTERS; place++) {
    letters = BASE62[rest % BASE62.length] + letters
    rest = Math.floor(rest / BASE62.length)
  }
  return letters
}
