import readline from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import { exits, failure } from '../failure.ts'
import { print, printLine } from '../format.ts'
import { jsonFrom, textOf } from '../rows.ts'
import { type Call, call, objectOf, type Schemas } from '../service.ts'
import { DEFAULT_PROFILE, isServiceUrl, removeProfile, runsHere, settingIn, withoutSlash, writeProfile } from '../settings.ts'
import { shellWord } from '../shell-word.ts'
import {
  addCommand,
  type Columns,
  type Invocation,
  lineTyped,
  list,
  outputOf,
  perform,
  pickOptions,
  show,
  withIdempotencyKey,
  withPaging,
  wrapAction,
} from './command.ts'
import { switchedOffNotices } from './destinations.ts'

/** weather login, logout, whoami, status, credits, runs, events and api. */
export function addAccount(program: Command): void {
  addCommand(program, 'login', 'save a token for a service', 'login --url https://weather.example.com --profile work')
    .option('--url <address>', 'URL of the service (default: WEATHER_URL)')
    .addHelpText(
      'after',
      '\nThe token is read from WEATHER_TOKEN, the file named by WEATHER_TOKEN_FILE, or standard input. It is never an argument, because other users could see it.',
    )
    .action(login)

  addCommand(program, 'logout', 'remove the token of a profile; it stays valid until it is revoked', 'logout --profile work').action(
    (_options: unknown, command: Command) => {
      const name = (command.opts().profile as string | undefined) ?? (process.env.WEATHER_PROFILE || DEFAULT_PROFILE)
      if (!removeProfile(process.env, name)) throw failure(exits.not_found, `There is no profile "${name}".`)
      printLine(`Removed the profile "${name}".`)
    },
  )

  addCommand(program, 'whoami', 'the team, plan and token in use', 'whoami').alias('account').action(wrapAction(whoami))

  addCommand(program, 'status', 'check the service, its monitoring and its destinations', 'status').action(wrapAction(status))

  const balance = addCommand(
    program,
    'credits',
    'the credit balance, or the ledger with --transactions',
    'credits --transactions --kind spend',
  )
    .option('--transactions', 'the ledger, newest first')
    .option('--kind <kind>', 'spend, refund, allowance, lapse, top_up or adjustment')
  withPaging(balance).action(
    wrapAction((invocation) =>
      invocation.options.transactions
        ? list(invocation, '/credits/transactions', pickOptions(invocation.options, ['kind']), {
            id: 'id',
            at: 'created_at',
            kind: 'kind',
            amount: 'amount',
            balance: 'balance_after',
            description: 'description',
          })
        : credits(invocation),
    ),
  )

  addListings(program)
  addApi(program)
}

/** weather runs and events. */
function addListings(program: Command): void {
  addCommand(program, 'runs', 'the last runs of monitoring', 'runs').action(
    wrapAction(async (invocation) => {
      await perform(
        invocation,
        { method: 'GET', path: '/monitoring/runs' },
        {
          id: 'id',
          lane: 'lane',
          status: 'status',
          started_at: 'started_at',
          finished_at: 'finished_at',
          candidates: 'candidates',
          written: 'written',
          notified: 'notified',
          failure: 'failure_reason',
        },
      )
    }),
  )

  addCommand(program, 'events', 'the events that a destination can subscribe to', 'events').action(
    wrapAction(async (invocation) => {
      await perform(
        invocation,
        { method: 'GET', path: '/integrations/events' },
        { name: 'name', group: 'group', label: 'label', description: 'description' },
      )
    }),
  )
}

/** Prints cards on a terminal, else the response of the service. */
async function whoami(invocation: Invocation): Promise<void> {
  const { connection, is_interactive } = invocation.setting
  const request: Call = { method: 'GET', path: '/account' }
  if (!is_interactive) return void (await perform(invocation, request, { ...accountColumns, service: () => connection.url }))
  const { accountCards, printCards } = await import('../screens/cards.ts')
  printCards(accountCards((await call<Schemas['Account']>(connection, request)).body, connection.url))
}

const accountColumns: Columns<Schemas['Account']> = {
  team: 'team.name',
  plan: 'team.plan_label',
  lapsed: 'team.lapsed',
  credits: 'credits.balance',
  reports_remaining: 'limits.reports_remaining',
  token: 'token.name',
  prefix: 'token.prefix',
  abilities: 'token.abilities',
  expires_at: 'token.expires_at',
}

/** Prints cards on a terminal, else the balance as the service returns it. @throws Failure for an option of the ledger */
async function credits(invocation: Invocation): Promise<void> {
  if (Object.keys(pickOptions(invocation.options, ['kind', 'page', 'per_page', 'all'])).length > 0)
    throw failure(exits.usage, '--kind, --all and the pages are of the ledger: add --transactions.')
  const request: Call = { method: 'GET', path: '/credits' }
  if (!invocation.setting.is_interactive) return void (await perform(invocation, request))
  const { creditCards, printCards } = await import('../screens/cards.ts')
  printCards(creditCards(await objectOf<Schemas['Credits']>(invocation.setting.connection, request)))
}

async function login(options: { url?: string; profile?: string }, command: Command): Promise<void> {
  const { profile } = options
  const given = options.url ?? process.env.WEATHER_URL
  if (!given || !isServiceUrl(given)) throw failure(exits.usage, 'Name a service: --url https://weather.example.com')
  const url = withoutSlash(given)
  const token = settingIn(process.env, 'WEATHER_TOKEN') || (await readToken())
  const name = profile ?? (process.env.WEATHER_PROFILE || DEFAULT_PROFILE)
  const { body } = await call({ url, token, operator_key: null }, { method: 'GET', path: '/account' })
  const { team } = body as { team: { name: string } }
  const shown = { profile: name, url, team: team.name }
  const file = writeProfile(process.env, name, { url, token })
  print(body, outputOf(command), shown)
  printLine(`Saved in ${file}.`)
  const { WEATHER_URL } = process.env
  const word = shellWord(name)
  if (WEATHER_URL && withoutSlash(WEATHER_URL) !== url) printLine(`Use it with --profile ${word}: WEATHER_URL names another service.`)
  else if (name !== DEFAULT_PROFILE || (!WEATHER_URL && runsHere(process.env)))
    printLine(`Use it with --profile ${word}, or set WEATHER_PROFILE=${word}.`)
}

/** Reads the token from a pipe, or typed without echo. */
async function readToken(): Promise<string> {
  if (!process.stdin.isTTY) return (await textOf('-')).trim()
  process.stderr.write('Token: ')
  const silent = new Writable({ write: (_part, _encoding, done) => done() })
  const prompt = readline.createInterface({ input: process.stdin, output: silent, terminal: true })
  const token = await lineTyped(prompt, '')
  process.stderr.write('\n')
  return token
}

async function status(invocation: Invocation): Promise<void> {
  const { body } = await call(invocation.setting.connection, { method: 'GET', path: '/monitoring/runs' })
  const { lanes } = body as { lanes: Record<string, unknown>[] }
  print(
    body,
    invocation.setting,
    lanes.map(({ lane, state, last_complete_at, watermark }) => ({ lane, state, last_complete_at, watermark })),
  )
  printLine(`${invocation.setting.connection.url} is available.`)
  for (const sentence of await switchedOffNotices(invocation.setting)) printLine(sentence)
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE']

function addApi(program: Command): void {
  withIdempotencyKey(addCommand(program, 'api', 'make any API request', 'api POST /reports --data \'{"address": "..."}\''))
    .argument('<method>', METHODS.join(', '))
    .argument('<path>', 'path under /api/v1, with its query')
    .option('--data <json>', 'request body')
    .option('--input <file>', 'request body from a file; - for standard input')
    .action(
      wrapAction(async ({ setting, arguments: [word, path], options }) => {
        const method = (word as string).toUpperCase() as Call['method']
        if (!METHODS.includes(method)) throw failure(exits.usage, `The method must be one of ${METHODS.join(', ')}.`)
        if (options.input && options.data) throw failure(exits.usage, 'Give --data or --input, not both.')
        const body = options.input ? await jsonFrom(options.input as string) : options.data ? parseData(options.data as string) : undefined
        if (method === 'GET' && body !== undefined) throw failure(exits.usage, 'GET sends no body: leave out --data and --input.')
        const key = options.idempotencyKey as string | undefined
        const answer = await call(setting.connection, {
          method,
          path: `/${(path as string).replace(/^\/*(api\/v1\/?)?/, '')}`.replace(/^\/$/, ''),
          ...(body !== undefined && { body }),
          ...(key && { key }),
        })
        // Prints the response itself: JSON, unless another format is named.
        if (answer.body !== null) show({ ...setting, output: setting.output === 'table' ? 'json' : setting.output }, answer.body)
      }),
    )
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (fault) {
    throw failure(exits.usage, `--data is not JSON: ${(fault as Error).message}`)
  }
}
