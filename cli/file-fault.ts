import path from 'node:path'
import { exits, type Failure, failure } from './failure.ts'

/** The system's file errors in words. */
const systemMessages: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a file exists where a folder is needed',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
}

/** The failure for a file that cannot be read. */
export const unreadable = (file: string, fault: unknown): Failure =>
  failure(exits.usage, `${file} cannot be read: ${reasonOf(fault, 'there is no such file')}.`)

/** The failure for a file that cannot be written. */
export const unwritable = (file: string, fault: unknown): Failure =>
  failure(exits.usage, `${file} cannot be written: ${reasonOf(fault, `there is no folder ${path.dirname(path.resolve(file))}`)}.`)

/** @param missing text for ENOENT; unknown codes are shown as they are */
function reasonOf(fault: unknown, missing: string): string {
  const code = (fault as NodeJS.ErrnoException).code ?? (fault as Error).message
  return code === 'ENOENT' ? missing : (systemMessages[code] ?? code)
}
