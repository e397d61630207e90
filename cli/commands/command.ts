import { type Command, Option } from 'commander'
import type { Output } from '../format.ts'
import { type Connection, readConnection } from '../settings.ts'

interface Shared {
  json?: boolean
  output?: Output['output']
  profile?: string
}

export interface Setting extends Output {
  connection: Connection
}

/** Adds a command that asks the service: with the options that all of them have, and an example beneath its help. */
export function ask(parent: Command, name: string, description: string, example: string): Command {
  return parent
    .command(name)
    .description(description)
    .addOption(new Option('--output <format>', 'how to print').choices(['table', 'json']).default('table'))
    .option('--json', 'the same as --output json')
    .option('--profile <name>', 'a profile of the configuration file')
    .addHelpText('after', `\nExample:\n  weather ${example}`)
}

/** What the shared options say. */
export function settingOf(command: Command): Setting {
  const { json, output, profile } = command.opts<Shared>()
  return { connection: readConnection(process.env, profile), output: json ? 'json' : (output ?? 'table') }
}

/** For an option that may be given more than once. */
export const gather = (value: string, before: string[] = []) => [...before, value]
