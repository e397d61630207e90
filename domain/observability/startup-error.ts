import { BadSettings } from '#domain/kernel/config.ts'
import { isEngineUnavailable } from '#domain/kernel/engine-unavailable.ts'
import { codeOf, hasFacts, messageOf } from '#domain/kernel/fault.ts'

/** The system's errors for a file, a folder or an address, in words. */
const systemMessages: Record<string, string> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a file exists where a folder is needed',
  EEXIST: 'a file exists where a folder is needed',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EADDRINUSE: 'another program is using it',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this name has no known address',
  EAI_AGAIN: 'the name server does not respond',
  ECONNREFUSED: 'nothing listens there',
  ETIMEDOUT: 'it does not respond',
  EHOSTUNREACH: 'there is no route to it',
}

/** Error codes of a database that responds but cannot be used with these settings. */
const databaseMessages: Record<string, string> = {
  '28P01': 'the password is wrong',
  '28000': 'the role may not connect, or does not exist',
  '3D000': 'there is no such database',
  '42501': 'the role lacks a right: run the service once with --migrate, and with DATABASE_MIGRATE_URL if the role owns no tables',
  '42P01': 'it has no tables of this version yet: run the service once with --migrate',
  '42703': 'its tables are of an earlier version: run the service once with --migrate',
  '53300': 'it has no connection left: lower DATABASE_POOL, or raise its max_connections',
  // Prisma's own code: a transaction that could not begin or finish in time.
  P2028: 'it is too busy to complete a transaction in time: start again, and raise DATABASE_WAIT_MS if this continues',
}

/** Returns the reason in words; the code itself if there are none for it. */
export const reasonOf = (fault: unknown) => {
  const code = codeOf(fault) ?? ''
  return systemMessages[code] ?? databaseMessages[code] ?? (code || messageOf(fault))
}

/** A database that the start uses, by the setting that names it. */
export interface NamedDatabase {
  setting: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_MIGRATE_URL'
  url: string
}

/**
 * Returns why a start failed as a sentence, without addresses that may contain passwords; null for a fault of the service itself.
 * @param database the one that was in use; null before the settings were read
 */
export function startupErrorText(fault: unknown, database: NamedDatabase | null): string | null {
  if (fault instanceof BadSettings) return `Settings that cannot be used:\n${fault.faults.map((line) => `  ${line}`).join('\n')}`
  const cause = databaseCause(fault)
  if (database && cause) return `The database of ${database.setting} (${placeOf(database.url)}) cannot be used: ${reasonOf(cause)}.`
  return null
}

/** Returns the error of the database, or of the connection to it, from an error's causes down to this depth. */
function databaseCause(fault: unknown, depth = 5): { code: string } | null {
  if (!hasFacts(fault) || depth === 0) return null
  const { code, originalCode, cause, meta, errors } = fault
  const knownCode = [originalCode, code].find((one): one is string => typeof one === 'string' && one in databaseMessages)
  if (knownCode) return { code: knownCode }
  const deeper = databaseCause(cause ?? meta?.driverAdapterError ?? errors?.[0], depth - 1)
  if (deeper) return deeper
  if (!isEngineUnavailable(fault)) return null
  return typeof code === 'string' && code in systemMessages ? { code } : { code: 'it does not respond' }
}

/** Returns host, port and name of a database, without user and password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
