import path from 'node:path'
import { exits, type Failure, failure } from './failure.ts'

/** What the system says of a file, in words. */
const systemSays: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a file exists where a folder is needed',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
}

/** The failure that a file could not be read is. */
export const unreadable = (file: string, fault: unknown): Failure =>
  failure(exits.usage, `${file} cannot be read: ${reasonOf(fault, 'there is no such file')}.`)

/** The failure that a file could not be written is. */
export const unwritable = (file: string, fault: unknown): Failure =>
  failure(exits.usage, `${file} cannot be written: ${reasonOf(fault, `there is no folder ${path.dirname(path.resolve(file))}`)}.`)

/** @param missing what ENOENT stands for; a code that no words are known for stands as it is */
function reasonOf(fault: unknown, missing: string): string {
  const code = (fault as NodeJS.ErrnoException).code ?? (fault as Error).message
  return code === 'ENOENT' ? missing : (systemSays[code] ?? code)
}
