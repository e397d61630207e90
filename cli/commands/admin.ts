import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { operate } from '../api.ts'
import { unreadable } from '../file-fault.ts'
import { print } from '../format.ts'
import { addAdminAudit } from './audit.ts'
import {
  addCommand,
  confirmAtTerminal,
  gather,
  idempotencyKeyOf,
  integerFrom,
  numberFrom,
  settingsOf,
  withIdempotencyKey,
} from './command.ts'

/** weather admin: teams, people, tokens and credits, with the operator key. */
export function addAdmin(program: Command): void {
  const admin = program.command('admin').description('teams, people, tokens and credits (needs the operator key)')
  addTeams(admin)
  addPeople(admin)
  addTokens(admin)
  addCredits(admin)
  addAdminAudit(admin)
}

const TEAM = 'id name plan timezone email on_trial lapsed balance limit_overrides renews_at created_at'
const TOKEN = 'name prefix abilities expires_at last_used_at revoked_at created_at'
const CREDITS = 'team balance'

function addTeams(admin: Command): void {
  const team = admin.command('team').description('teams and their plans')

  withIdempotencyKey(
    addCommand(team, 'create', 'create a team', "admin team create --name 'Roof works' --plan professional --timezone America/Chicago"),
  )
    .requiredOption('--name <name>', 'name of the team')
    .option('--plan <tier>', 'free, starter, professional, business or enterprise; omit it with --trial')
    .addOption(new Option('--trial', 'start a trial of 14 days').conflicts('plan'))
    .option('--timezone <zone>', 'IANA time zone of the team')
    .option('--email <address>', 'address for its digest')
    .action(
      run(`mutation ($name: String!, $plan: String, $trial: Boolean, $timezone: String, $email: String, $idempotency_key: String) {
      adminCreateTeam(name: $name, plan: $plan, trial: $trial, timezone: $timezone, email: $email, idempotency_key: $idempotency_key) { ${TEAM} } }`),
    )

  addCommand(team, 'list', 'every team, oldest first', 'admin team list').action(run(`{ adminTeams { ${TEAM} } }`))

  addCommand(team, 'plan', 'put a team on a plan from today', 'admin team plan --team ID --plan business')
    .requiredOption('--team <id>', 'id of the team')
    .requiredOption('--plan <tier>', 'free, starter, professional, business or enterprise')
    .action(run(`mutation ($team: ID!, $plan: String!) { adminSetPlan(team: $team, plan: $plan) { ${TEAM} } }`))

  addCommand(
    team,
    'lapse',
    "lapse a team's plan: it can still read, but writes that cost credits or watch places are refused",
    'admin team lapse --team ID',
  )
    .requiredOption('--team <id>', 'id of the team')
    .option('--undo', 'end the lapse')
    .action(run(`mutation ($team: ID!, $undo: Boolean) { adminLapseTeam(team: $team, undo: $undo) { ${TEAM} } }`))

  addCommand(
    team,
    'letterhead',
    "set the paper, name and logo of a team's documents",
    "admin team letterhead --team ID --paper a4 --brand-name 'Roof works' --brand-logo mark.png",
  )
    .requiredOption('--team <id>', 'id of the team')
    .option('--paper <size>', 'letter or a4')
    .option('--brand-name <name>', 'name on the cover, if the plan includes report branding; "none" removes it', unlessNone)
    .option('--brand-logo <file>', 'PNG, JPEG or WebP image of at most 200 kB; "none" removes it', imageFrom)
    .action(
      run(
        `mutation ($team: ID!, $paper: String, $brand_name: String, $brand_logo: String) {
      adminSetLetterhead(team: $team, paper: $paper, brand_name: $brand_name, brand_logo: $brand_logo) { ${TEAM} paper brand_name has_brand_logo } }`,
        (value) => (value === NOTHING ? null : value),
      ),
    )

  addLimits(team)
}

/** Stands for null, which Commander does not accept as an option's value, until the variables are built. */
const NOTHING = Symbol('null')

const unlessNone = (text: string) => (text === 'none' ? NOTHING : text)

function imageFrom(file: string): string | typeof NOTHING {
  if (file === 'none') return NOTHING
  try {
    return readFileSync(file).toString('base64')
  } catch (fault) {
    throw new InvalidArgumentError(unreadable(file, fault).message)
  }
}

/** Ceilings that may be overridden for one team, by their names in the service. */
const ceilings = [
  'monthly_allowance',
  'lookback_years',
  'max_radius_miles',
  'properties',
  'territories',
  'max_area_sq_miles',
  'watch_radius_miles',
]

function addLimits(team: Command): void {
  const limit = addCommand(
    team,
    'limit',
    "set ceilings of a team that differ from its plan's",
    'admin team limit --team ID --properties 800 --territories plan',
  ).requiredOption('--team <id>', 'id of the team')
  for (const name of ceilings)
    limit.option(`--${name.replaceAll('_', '-')} <number>`, `a number, or "plan" for the ceiling of the plan`, ceiling)
  const parameters = ceilings.map((name) => `$${name}: Float`).join(', ')
  const args = ceilings.map((name) => `${name}: $${name}`).join(', ')
  limit.action(
    run(`mutation ($team: ID!, ${parameters}) { adminSetLimits(team: $team, ${args}) { ${TEAM} } }`, (value) =>
      value === NOTHING ? null : value,
    ),
  )
}

function ceiling(text: string): number | typeof NOTHING {
  return text === 'plan' ? NOTHING : numberFrom(text)
}

function addPeople(admin: Command): void {
  const person = admin.command('person').description('people who sign in to the console')

  addCommand(
    person,
    'link',
    'create a link that signs a person in and adds them to a team; it works once, within an hour',
    'admin person link --team ID --email ann@example.com --role owner',
  )
    .requiredOption('--team <id>', 'id of the team')
    .requiredOption('--email <address>', 'e-mail address of the person')
    .requiredOption('--role <role>', 'owner, analyst or viewer')
    .action(
      run(`mutation ($team: ID!, $email: String!, $role: String!) {
      adminPersonLink(team: $team, email: $email, role: $role) { url expires_at } }`),
    )

  addCommand(
    person,
    'operator',
    "set a person's operator roles for the console and sign them out everywhere; without --role, remove all roles",
    'admin person operator --email ann@example.com --role all',
  )
    .requiredOption('--email <address>', 'e-mail address of the person')
    .option('--role <role>', 'read, archive, billing or all; repeat for several', gather)
    .action(
      run(`mutation ($email: String!, $role: [String!]! = []) {
      setOperator(email: $email, roles: $role) { id email roles link { url expires_at } } }`),
    )

  addCommand(person, 'operators', 'people who may run the service from the console', 'admin person operators').action(
    run('query { operators { id email name roles signed_in_at } }'),
  )
}

function addTokens(admin: Command): void {
  const token = admin.command('token').description('tokens of a team')

  addCommand(token, 'list', "a team's tokens; their secrets are not stored", 'admin token list --team ID')
    .requiredOption('--team <id>', 'id of the team')
    .action(run(`query ($team: ID!) { adminTokens(team: $team) { ${TOKEN} } }`))

  withIdempotencyKey(
    addCommand(
      token,
      'issue',
      'issue a token; it is shown only once',
      'admin token issue --team ID --name Reports --ability reports:read --ability reports:write',
    ),
    'revokes the earlier token, unless it has been used, and issues a new one',
  )
    .requiredOption('--team <id>', 'id of the team')
    .requiredOption('--name <name>', 'what it is for')
    .option('--ability <ability>', 'an ability; repeat for several', gather)
    .addOption(new Option('--all-abilities', 'every ability').conflicts('ability'))
    .option('--expires-at <moment>', 'ISO 8601, for example 2027-01-01T00:00:00Z')
    .action(
      run(`mutation ($team: ID!, $name: String!, $abilities: [String!], $all_abilities: Boolean, $expires_at: String, $idempotency_key: String) {
      adminIssueToken(team: $team, name: $name, abilities: $abilities, all_abilities: $all_abilities, expires_at: $expires_at, idempotency_key: $idempotency_key) { token ${TOKEN} } }`),
    )

  addCommand(token, 'revoke', 'revoke a token immediately', 'admin token revoke --prefix wt_a1B2c3 --yes')
    .requiredOption('--prefix <prefix>', 'its first nine characters')
    .action(async (options: { prefix: string }, command: Command) => {
      await confirmAtTerminal(settingsOf(command), `Revoke the token ${options.prefix} for good?`)
      await run(`mutation ($prefix: String!) { adminRevokeToken(prefix: $prefix) { ${TOKEN} } }`)(options, command)
    })
}

function addCredits(admin: Command): void {
  const credits = admin.command('credits').description("a team's credits")

  withIdempotencyKey(addCommand(credits, 'top-up', 'add credits that never lapse', 'admin credits top-up --team ID --amount 50'))
    .requiredOption('--team <id>', 'id of the team')
    .requiredOption('--amount <number>', 'number of credits', integerFrom)
    .action(
      run(
        `mutation ($team: ID!, $amount: Int!, $idempotency_key: String) {
      adminTopUp(team: $team, amount: $amount, idempotency_key: $idempotency_key) { ${CREDITS} } }`,
      ),
    )

  withIdempotencyKey(
    addCommand(
      credits,
      'adjust',
      'correct a balance manually',
      "admin credits adjust --team ID --amount -3 --note 'Charged twice on 3 May'",
    ),
  )
    .requiredOption('--team <id>', 'id of the team')
    .requiredOption('--amount <number>', 'number of credits; negative to take them away', integerFrom)
    .requiredOption('--note <text>', 'reason, shown in the ledger')
    .action(
      run(
        `mutation ($team: ID!, $amount: Int!, $note: String!, $idempotency_key: String) {
      adminAdjustCredits(team: $team, amount: $amount, note: $note, idempotency_key: $idempotency_key) { ${CREDITS} } }`,
      ),
    )
}

/** Runs an operation with the command's options as variables, and prints the result. */
function run(query: string, convert = (option: unknown) => option) {
  const names = [...query.matchAll(/\$(\w+):/g)].map(([, name]) => name as string)
  return async (_options: unknown, command: Command) => {
    const setting = settingsOf(command)
    const options = command.opts<Record<string, unknown>>()
    const variables = Object.fromEntries(
      names.map((name) => [name, name === 'idempotency_key' ? idempotencyKeyOf(options) : convert(options[optionOf(name)])]),
    )
    print(await operate(setting.connection, query, variables), setting)
  }
}

/** The option of a variable: $expires_at is --expires-at; abilities are repeated --ability options. */
function optionOf(name: string): string {
  return name === 'abilities' ? 'ability' : name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
