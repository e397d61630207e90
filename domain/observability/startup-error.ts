import { BadSettings, type Config } from '#domain/kernel/config.ts'
import { isEngineAway } from '#domain/kernel/engine-away.ts'
import { codeOf, hasFacts, messageOf } from '#domain/kernel/fault.ts'

/** What the system says of a file, a folder or an address, in words. */
const systemSays: Record<string, string> = {
  ENOENT: 'it is not there',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a file stands where a folder should',
  EEXIST: 'a file stands where a folder should',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EADDRINUSE: 'another program has it',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no address is known of this name',
  EAI_AGAIN: 'the name server does not answer',
  ECONNREFUSED: 'nothing listens there',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'no way leads there',
}

/** Codes of a database that is reached and cannot be used as it is set. */
const databaseSays: Record<string, string> = {
  '28P01': 'the password is wrong',
  '28000': 'the role may not connect, or is not known',
  '3D000': 'there is no such database',
  '42501': 'the role lacks a right: run the service once with --migrate, and with DATABASE_MIGRATE_URL where the role owns no tables',
  '42P01': 'it has no tables of this version yet: run the service once with --migrate',
  '42703': 'its tables are of an earlier version: run the service once with --migrate',
  '53300': 'it has no connection left: lower DATABASE_POOL, or raise its max_connections',
  // Prisma's own code: a transaction that could not begin, or was not done, in time.
  P2028: 'it is too busy to go through with a transaction in time: start again, and raise DATABASE_WAIT_MS where it stays so',
}

/** Why, in words; the code itself where none are known. */
export const reasonOf = (fault: unknown) => {
  const code = codeOf(fault) ?? ''
  return systemSays[code] ?? databaseSays[code] ?? (code || messageOf(fault))
}

/** What ended a start, as a sentence without addresses that may hold passwords; null for a fault of ours. */
export function startupErrorText(fault: unknown, config: Pick<Config, 'database_url'> | null): string | null {
  if (fault instanceof BadSettings) return `Settings that cannot be used:\n${fault.faults.map((line) => `  ${line}`).join('\n')}`
  const cause = databaseCause(fault)
  if (config && cause) return `The database of DATABASE_URL (${placeOf(config.database_url)}) cannot be used: ${reasonOf(cause)}.`
  return null
}

/** What the database, or the way to it, said; an error's causes are followed so far. */
function databaseCause(fault: unknown, depth = 5): { code: string } | null {
  if (!hasFacts(fault) || depth === 0) return null
  const { code, originalCode, cause, meta, errors } = fault
  const said = [originalCode, code].find((one): one is string => typeof one === 'string' && one in databaseSays)
  if (said) return { code: said }
  const deeper = databaseCause(cause ?? meta?.driverAdapterError ?? errors?.[0], depth - 1)
  if (deeper) return deeper
  if (!isEngineAway(fault)) return null
  return typeof code === 'string' && code in systemSays ? { code } : { code: 'it does not answer' }
}

/** Host, port and name of a database, without user and password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
