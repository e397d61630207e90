import { randomUUID } from 'node:crypto'
import readline from 'node:readline/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { everyPage, everyRow } from '../every-page.ts'
import { exits, failure } from '../failure.ts'
import { formats, type Output, plain, print, printLine } from '../format.ts'
import { type Call, call, type Page, page, type Query } from '../service.ts'
import { type Connection, readConnection } from '../settings.ts'
import { shellWord } from '../shell-word.ts'

interface SharedOptions {
  json?: boolean
  output?: Output['output']
  fields?: string[]
  profile?: string
  yes?: boolean
}

export interface Settings extends Output {
  connection: Connection
  /** The profile that the command named. */
  profile?: string | undefined
  /** Whether --yes confirms every question. */
  yes: boolean
  /** Whether standard output is a terminal and no output format was requested. */
  is_interactive: boolean
}

/** Adds a command that queries the service, with the shared options, and an example below its help. */
export function addCommand(parent: Command, name: string, description: string, example: string): Command {
  const command = parent.command(name)
  return command
    .description(description)
    .addOption(
      new Option('--output <format>', 'output format')
        .choices(formats)
        .default('table')
        .argParser((text) => formatFrom(text, command)),
    )
    .option('--json', 'same as --output json')
    .option('--fields <keys>', 'comma-separated keys to print; dots for nested keys', keysFrom)
    .option('--profile <name>', 'a profile of the configuration file')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', `\nExample:\n  weather ${example}`)
}

/** Names the option for files if a file is given instead of a format. */
function formatFrom(text: string, { options }: Command): Output['output'] {
  const format = formats.find((one) => one === text)
  if (format) return format
  const saves = options.some(({ long }) => long === '--out')
  throw new InvalidArgumentError(`Allowed choices are ${formats.join(', ')}.${saves ? ' Use --out to name a file.' : ''}`)
}

/** Values of the shared options. */
export function settingsOf(command: Command): Settings {
  const { json, fields, profile, yes } = command.opts<SharedOptions>()
  return {
    connection: readConnection(process.env, profile),
    profile,
    ...outputOf(command),
    yes: yes === true,
    is_interactive: process.stdout.isTTY === true && !json && !fields && command.getOptionValueSource('output') === 'default',
  }
}

/** The shared options for what is printed. @throws Failure if --json is given with another format */
export function outputOf(command: Command): Output {
  const { json, output, fields } = command.opts<SharedOptions>()
  if (json && output !== 'json' && command.getOptionValueSource('output') === 'cli')
    throw failure(exits.usage, `--json is --output json: leave it out, or --output ${output}.`)
  return { output: json ? 'json' : (output ?? 'table'), fields: fields ?? null }
}

/** The same for a command that prints JSON lines. @throws Failure if another format is named */
export function lineOutputOf(command: Command): Output {
  const asked = outputOf(command)
  const { output } = asked
  if (output === 'csv' || (output === 'table' && command.getOptionValueSource('output') !== 'default'))
    throw failure(exits.usage, 'This command prints JSON lines: --output must be ndjson.')
  return { ...asked, output: 'ndjson' }
}

/** Collects the values of an option that may be repeated. */
export const gather = (value: string, before: string[] = []) => [...before, value]

function keysFrom(text: string): string[] {
  return text.split(',').map((key) => key.trim())
}

/** Parses a number of an option. @throws InvalidArgumentError */
export function numberFrom(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number.')
  return number
}

/** Parses a whole number; the service checks its range. */
export function integerFrom(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Parses the seconds between two checks. With 0 the service would be queried without a pause. */
export function intervalFrom(text: string): number {
  const seconds = numberFrom(text)
  if (seconds <= 0) throw new InvalidArgumentError('It must be more than 0.')
  return seconds
}

/** Parses true or false of an option. @throws InvalidArgumentError */
export function booleanFrom(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It must be true or false.')
  return text === 'true'
}

/** Options of a command, and its arguments in order. */
export interface Invocation {
  setting: Settings
  arguments: string[]
  options: Record<string, unknown>
}

/** Wraps an action, which receives the shared settings, the arguments and the options. What it returns is not used. */
export function wrapAction(action: (invocation: Invocation) => Promise<unknown>): (...words: unknown[]) => Promise<void> {
  return async (...args) => {
    const command = args.at(-1) as Command
    await action({ setting: settingsOf(command), arguments: args.slice(0, -2).flat() as string[], options: command.opts() })
  }
}

/** Picks the options with these names, under the service's keys; omitted options are left out. */
export function pickOptions(options: Record<string, unknown>, names: readonly string[]): Record<string, never> {
  const entries = names.map((name) => [name, options[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** Returns the fields of an edit. @throws Failure if there are none */
export function requireChanges(body: Record<string, unknown>): Record<string, unknown> {
  if (Object.keys(body).length > 0) return body
  throw failure(exits.usage, 'Nothing to change: see --help for the options.')
}

/** Columns of a table: titles with dotted keys, or functions that make the cell. */
export type Columns<Row = Record<string, unknown>> = Record<string, PathOf<Row> | ((row: Row) => unknown)>

/** The keys of an object, with dotted keys for nested objects. */
type PathOf<Of> = { [Key in keyof Of & string]: Key | NestedPath<Key, NonNullable<Of[Key]>> }[keyof Of & string]
type NestedPath<Key extends string, Part> = Part extends readonly unknown[] ? never : Part extends object ? `${Key}.${PathOf<Part>}` : never

/** Returns the cells of a row by the titles of its columns. */
export function rowOf<Row>(row: Row, columns: Columns<Row>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(columns).map(([title, of]) => [title, typeof of === 'string' ? valueAt(row, of) : of(row)]))
}

function valueAt(row: unknown, field: string): unknown {
  return field.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key] ?? null, row)
}

/** Adds the options of a paginated list. */
export function withPaging(command: Command): Command {
  return command
    .option('--page <number>', 'page number', numberFrom)
    .option('--per-page <number>', 'rows per page, at most 100', numberFrom)
    .addOption(new Option('--all', 'print every page').conflicts(['page', 'perPage']))
}

/** Prints a list: one page, or with --all every page as one. */
export async function list<Row>({ setting, options }: Invocation, path: string, filters: Query, columns: Columns<Row>): Promise<void> {
  const { connection } = setting
  const sizes = pickOptions(options, ['page', 'per_page'])
  const answer = options.all ? await everyPage<Row>(connection, path, filters) : await page<Row>(connection, path, { ...filters, ...sizes })
  print(
    answer,
    setting,
    answer.data.map((row) => rowOf(row, columns)),
  )
  notePages({ setting, options }, answer.meta)
}

/** States beside the rows that the list has more pages. */
export function notePages(
  { setting, options }: Pick<Invocation, 'setting' | 'options'>,
  { current_page, last_page, total }: Page['meta'],
): void {
  if (!options.all && current_page < last_page && !hasTotal(setting))
    printLine(`Page ${current_page} of ${last_page}, ${total} rows in all: --page ${current_page + 1} prints the next, --all every one.`)
}

/** Whether the output contains the total number of rows: the whole response as JSON does. */
const hasTotal = ({ output, fields }: Output) => output === 'json' && !fields

/** Prints a GraphQL list that states only its total: one page, or with --all every page as one. */
export async function listByTotal<Row>(
  { setting, options }: Pick<Invocation, 'setting' | 'options'>,
  read: (paging: object) => Promise<{ data: Row[]; total: number }>,
  columns: Columns<Row>,
): Promise<void> {
  const answer = options.all ? await everyRow(read) : await read(pickOptions(options, ['page', 'per_page']))
  print(
    answer,
    setting,
    answer.data.map((row) => rowOf(row, columns)),
  )
  if (answer.data.length < answer.total && !hasTotal(setting))
    printLine(`${answer.data.length} of ${answer.total} rows: --page prints others, --all every one.`)
}

/** Makes a call and prints the response. */
export async function perform<Row>({ setting }: Invocation, request: Call, columns?: Columns<Row>): Promise<unknown> {
  const { body } = await call(setting.connection, request)
  if (body !== null) show(setting, body, columns)
  return body
}

/** Prints a response, which may be an object or a list, as a table with these columns. */
export function show<Row>(setting: Settings, body: unknown, columns?: Columns<Row>): void {
  const data = (body as { data?: unknown }).data ?? body
  const shown = columns && pickColumns(data, columns)
  print(body, setting, ...(shown === undefined ? [] : [shown]))
}

function pickColumns<Row>(data: unknown, columns: Columns<Row>): unknown {
  if (Array.isArray(data)) return data.map((row: Row) => rowOf(row, columns))
  const keys = Object.values(columns).flatMap((of) => (typeof of === 'string' ? [of.split('.')[0] as string] : []))
  // A response of something else than this service would be a table without a value.
  if (keys.length > 0 && !keys.some((key) => key in Object(data))) throw new TypeError(`none of ${keys.join(', ')} is there`)
  return rowOf(data as Row, columns)
}

/** Adds the option for the idempotency key of a create. */
export const withIdempotencyKey = (command: Command, repeatEffect = 'creates nothing') =>
  command.option('--idempotency-key <key>', `your own idempotency key: a repeat with the same key ${repeatEffect}`, keyFrom)

/** Parses an idempotency key. An empty one, as of a variable that is not set, would protect nothing. */
function keyFrom(text: string): string {
  if (!/^[!-~]{1,255}$/.test(text)) throw new InvalidArgumentError('It must have 1 to 255 visible ASCII characters.')
  return text
}

/** The given idempotency key, or a new one, so that a lost request can be retried with the same key. */
export const idempotencyKeyOf = (options: Record<string, unknown>) => (options.idempotencyKey as string | undefined) ?? randomUUID()

/**
 * Asks for confirmation before an irreversible action.
 * @throws Failure if the answer is no, or if there is no terminal to ask on
 */
export async function confirm({ yes }: Settings, question: string): Promise<void> {
  if (yes) return
  if (!hasTerminalToAskOn()) throw failure(exits.usage, `${question} There is no terminal to ask on: give --yes.`)
  const prompt = readline.createInterface({ input: process.stdin, output: process.stderr })
  if (!/^y(es)?$/i.test(await lineTyped(prompt, `${plain(question)} [y/N] `))) throw failure(exits.failure, 'Nothing was changed.')
}

/** Asks on a terminal. @returns the line typed, without spaces around it; empty if the input ends instead (Ctrl-D) */
export async function lineTyped(prompt: readline.Interface, question: string): Promise<string> {
  prompt.on('SIGINT', () => process.exit(exits.interrupted))
  const ended = new Promise<string>((resolve) => prompt.once('close', () => resolve('')))
  const line = await Promise.race([prompt.question(question), ended]).finally(() => prompt.close())
  return line.trim()
}

/**
 * Asks a person at a terminal for confirmation. Scripts of operators run these commands without --yes, so without a terminal, and for
 * output that a program reads, nothing is asked.
 * @throws Failure if the answer is no
 */
export async function confirmAtTerminal(setting: Settings, question: string): Promise<void> {
  if (setting.is_interactive && hasTerminalToAskOn()) await confirm(setting, question)
}

const hasTerminalToAskOn = () => process.stdin.isTTY && process.stderr.isTTY && !process.env.CI

/** A command that a message suggests. It reaches the same service. */
export const suggestedCommand = ({ profile }: Pick<Settings, 'profile'>, words: string) =>
  `weather ${words}${profile === undefined ? '' : ` --profile ${shellWord(profile)}`}`

/** Encodes user input as a path segment. */
export const segment = (text: string) => encodeURIComponent(text)
