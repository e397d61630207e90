import { readFileSync } from 'node:fs'
import { codeOf } from '#domain/kernel/fault.ts'

export type Environment = Record<string, string | undefined>

/**
 * Returns the environment with values from files: X_FILE names the file that contains setting X, as container secrets do.
 * A trailing newline is dropped, and an empty file means that the setting is not set. `faults` are by setting.
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
