import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { headersOf, parse, readBody, refusal, send, statusOf } from '../api.ts'
import { isFailure } from '../failure.ts'
import { tokenOf } from '../service.ts'
import type { Connection } from '../settings.ts'
import { settingsOf } from './command.ts'

/** weather mcp: the service's tools for an assistant on this machine. */
export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description("the service's tools for an assistant on this machine, over standard input and output (MCP)")
    .option('--profile <name>', 'a profile of the configuration file')
    .addHelpText(
      'after',
      '\nExample, in the settings of an assistant:\n  {"mcpServers": {"weather": {"command": "weather", "args": ["mcp"]}}}',
    )
    .action((_options: unknown, command: Command) => forwardMessages(settingsOf(command).connection))
}

/** Forwards each line, a message, to the service and prints its responses in order. The tools are those of the service. */
async function forwardMessages(connection: Connection): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue
    for (const answer of await answersTo(connection, line)) process.stdout.write(`${answer}\n`)
  }
}

const JSON_RPC_PARSE_ERROR = -32700
const JSON_RPC_INVALID_REQUEST = -32600
const JSON_RPC_SERVER_ERROR = -32000

async function answersTo(connection: Connection, line: string): Promise<string[]> {
  let message: { id?: unknown } | null
  try {
    message = JSON.parse(line)
  } catch {
    return [faultOf(null, JSON_RPC_PARSE_ERROR, 'The line is not JSON.')]
  }
  if (message === null) return [faultOf(null, JSON_RPC_INVALID_REQUEST, 'The line is not a message.')]
  const answers = await forwardLine(connection, line, message.id ?? null)
  // A notification has no id and gets no response. A batch has none either.
  return message.id === undefined && !Array.isArray(message) ? [] : answers
}

async function forwardLine(connection: Connection, line: string, id: unknown): Promise<string[]> {
  try {
    const accepted = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const { answer } = await send(connection.url, 'POST', '/mcp', headersOf(tokenOf(connection), accepted), line)
    const text = await readBody(answer)
    const status = statusOf(answer)
    if (String(answer.headers['content-type']).startsWith('text/event-stream')) return messagesIn(text)
    if (text === '' && status < 400) return []
    const parsed = parse(text, status) as { jsonrpc?: string; id?: unknown } | null
    // A response outside the protocol is a refusal of the API, or of a proxy in front.
    // An error without an id is about this message, whose sender waits for an answer with its id.
    return parsed?.jsonrpc
      ? [JSON.stringify({ ...parsed, id: parsed.id ?? id })]
      : [faultOf(id, JSON_RPC_SERVER_ERROR, refusal(parsed, status).message)]
  } catch (fault) {
    if (!isFailure(fault)) throw fault
    return [faultOf(id, JSON_RPC_SERVER_ERROR, fault.message)]
  }
}

function faultOf(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

/** The messages of a complete event stream. */
function messagesIn(stream: string): string[] {
  return [...stream.matchAll(/^data: ?(.+)$/gm)].map(([, message]) => String(message))
}
