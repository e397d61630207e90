import { readFileSync } from 'node:fs'
import { codeOf } from '#domain/kernel/fault.ts'

export type Environment = Record<string, string | undefined>

/**
 * The environment with what stands in files: a setting X may be kept in the file that X_FILE names, as secrets of containers are.
 * The newline at its end is no part of it, and an empty file is a setting that is not set. Faults are kept by setting.
 */
export function withFiles(env: Environment, names: readonly string[]): { values: Environment; faults: Map<string, string> } {
  const values = { ...env }
  const faults = new Map<string, string>()
  for (const name of names) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) faults.set(name, `${name} and ${name}_FILE are both set: keep one of them`)
    else
      try {
        values[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
      } catch (fault) {
        faults.set(name, `${name}_FILE ${file} cannot be read: ${whyUnread[codeOf(fault) ?? ''] ?? fault}`)
      }
  }
  return { values, faults }
}

const whyUnread: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}
