import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { headersOf, parse, send, whole } from '../api.ts'
import { isFailure } from '../failure.ts'
import { tokenOf } from '../service.ts'
import type { Connection } from '../settings.ts'
import { settingOf } from './command.ts'

/** weather mcp: the service's tools for an assistant on this machine. */
export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('the tools of the service for an assistant on this machine, over standard input and output (MCP)')
    .option('--profile <name>', 'a profile of the configuration file')
    .addHelpText(
      'after',
      '\nExample, in the settings of an assistant:\n  {"mcpServers": {"weather": {"command": "weather", "args": ["mcp"]}}}',
    )
    .action((_options: unknown, command: Command) => carryMessages(settingOf(command).connection))
}

/** Carries each line, a message, to the service, and what it answers back, in their order: the tools are the service's own. */
async function carryMessages(connection: Connection): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue
    for (const answer of await answersTo(connection, line)) process.stdout.write(`${answer}\n`)
  }
}

const JSON_RPC_PARSE_ERROR = -32700
const JSON_RPC_SERVER_ERROR = -32000

async function answersTo(connection: Connection, line: string): Promise<string[]> {
  let message: { id?: unknown }
  try {
    message = JSON.parse(line)
  } catch {
    return [faultOf(null, JSON_RPC_PARSE_ERROR, 'The line is no JSON.')]
  }
  const answers = await sent(connection, line, message.id ?? null)
  // A notification has no id, and nothing is answered to it.
  return message.id === undefined ? [] : answers
}

async function sent(connection: Connection, line: string, id: unknown): Promise<string[]> {
  try {
    const accepted = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const { answer } = await send(connection.url, 'POST', '/mcp', headersOf(tokenOf(connection), accepted), line)
    const text = await whole(answer)
    const status = answer.statusCode as number
    if (status >= 400) {
      const refused = parse(text, status) as { object?: string; message?: string }
      // What is no error of the API is the answer of the protocol.
      return refused.object === 'error' ? [faultOf(id, JSON_RPC_SERVER_ERROR, refused.message ?? '')] : [JSON.stringify(refused)]
    }
    return String(answer.headers['content-type']).startsWith('text/event-stream') ? messagesIn(text) : text === '' ? [] : [text]
  } catch (fault) {
    if (!isFailure(fault)) throw fault
    return [faultOf(id, JSON_RPC_SERVER_ERROR, fault.message)]
  }
}

function faultOf(id: unknown, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

/** The messages of an event stream that is whole. */
function messagesIn(stream: string): string[] {
  return [...stream.matchAll(/^data: ?(.+)$/gm)].map(([, message]) => String(message))
}
