import type { Command } from 'commander'
import { operate } from '../api.ts'
import { print } from '../format.ts'
import { addCommand, confirmAtTerminal, gather, settingsOf } from './command.ts'

const KEY = 'name prefix roles expires_at last_used_at revoked_at created_at'
const LIST = `{ operatorKeys { ${KEY} } }`
const ISSUE = `mutation ($name: String!, $roles: [String!]!, $expires_at: String) {
  issueOperatorKey(name: $name, roles: $roles, expires_at: $expires_at) { key ${KEY} } }`
const REVOKE = `mutation ($name: String!) { revokeOperatorKey(name: $name) { ${KEY} } }`

/** weather operator: operator keys. Needs an operator key with the role all. */
export function addOperator(program: Command): void {
  const operator = program.command('operator').description('operator keys (needs the operator key)')
  const keys = operator.command('keys').description('operator keys: named, with roles')

  addCommand(keys, 'list', 'every operator key, including revoked ones; the keys themselves are not stored', 'operator keys list').action(
    async (_options: unknown, command: Command) => {
      const setting = settingsOf(command)
      print(await operate(setting.connection, LIST), setting)
    },
  )

  addCommand(keys, 'issue', 'issue an operator key; it is shown only once', 'operator keys issue --name prometheus --role read')
    .requiredOption('--name <name>', 'name of the key; a name can be used only once')
    .requiredOption('--role <role>', 'read, archive, billing or all; repeat for several', gather)
    .option('--expires-at <moment>', 'ISO 8601, for example 2027-01-01T00:00:00Z')
    .action(async ({ name, role, expiresAt }: { name: string; role: string[]; expiresAt?: string }, command: Command) => {
      const setting = settingsOf(command)
      print(await operate(setting.connection, ISSUE, { name, roles: role, expires_at: expiresAt }), setting)
    })

  addCommand(keys, 'revoke', 'revoke an operator key immediately and permanently', 'operator keys revoke --name prometheus --yes')
    .requiredOption('--name <name>', 'name of the key')
    .action(async ({ name }: { name: string }, command: Command) => {
      const setting = settingsOf(command)
      await confirmAtTerminal(setting, `Revoke the operator key ${name} for good?`)
      print(await operate(setting.connection, REVOKE, { name }), setting)
    })
}
