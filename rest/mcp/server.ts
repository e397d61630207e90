import { McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate, type StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { JsonSchema } from '#domain/kernel/fields.ts'
import { CallRefused, type Calls } from '#rest/mcp/calls.ts'
import { recordsOf } from '#rest/mcp/figures.ts'
import type { Tool } from '#rest/mcp/tools.ts'
import type { ErrorBody } from '#rest/refusals.ts'

const INSTRUCTIONS =
  'Weather on record at an address, each figure with its citation. Preview first, create a report only if the person agrees to spend a credit, and quote the report with its citations. Absence of a record is not proof that nothing happened, and no record states that something was damaged.'

/**
 * Creates the server for one request: tools, resources and prompts, over the API with the caller's token.
 * @param bodyOf logs a fault of our own and returns its error body, which shows no details
 */
export function mcpServer(tools: readonly Tool[], calls: Calls, bodyOf: (fault: unknown) => ErrorBody): McpServer {
  const refusedBy = (fault: unknown) => (fault instanceof CallRefused ? fault : new CallRefused(bodyOf(fault)))
  const server = new McpServer({ name: 'weather-report-service', version: '1' }, { instructions: INSTRUCTIONS })
  for (const { row, description, input, run } of tools) {
    const annotations = { readOnlyHint: row.read_only, destructiveHint: false, openWorldHint: false }
    server.registerTool(
      row.name,
      { description, inputSchema: unenforcedSchema(input), annotations },
      async (sent: Record<string, unknown>) => {
        try {
          return toolResult(await run(calls, sent))
        } catch (fault) {
          return { ...toolResult(refusedBy(fault).body), isError: true }
        }
      },
    )
  }
  addResources(server, async (reading) => reading(calls).catch((fault) => Promise.reject(protocolError(refusedBy(fault)))))
  addPrompt(server)
  return server
}

const toolResult = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] })

/** Returns a refusal as an error of the protocol: a resource has no result with `isError`. The error body is its data, as a tool has it. */
function protocolError({ body, message }: CallRefused): ProtocolError {
  const isOurs = body.status === undefined || body.status >= 500
  return new ProtocolError(isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams, message, body)
}

/** A schema that is published but not enforced: the API validates the input and reports every fault in its own words. */
function unenforcedSchema(schema: JsonSchema): StandardSchemaWithJSON<Record<string, unknown>> {
  const validate = (value: unknown) => ({ value: (value ?? {}) as Record<string, unknown> })
  const jsonSchema = { input: () => schema, output: () => schema }
  return { '~standard': { version: 1 as const, vendor: 'weather-report-service', validate, jsonSchema } }
}

/** @param read reads over the API: throws only ProtocolError, which the package shows */
function addResources(server: McpServer, read: <Value>(reading: (calls: Calls) => Promise<Value>) => Promise<Value>): void {
  const json = (uri: URL, value: unknown) => ({
    contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(value) }],
  })
  const template = (uri: string) => new ResourceTemplate(uri, { list: undefined })
  server.registerResource(
    'report',
    template('weather://reports/{report}'),
    { description: 'A report as the API returns it.', mimeType: 'application/json' },
    async (uri, { report }) =>
      json(uri, await read((calls) => calls.rest({ method: 'GET', path: `/reports/${encodeURIComponent(String(report))}` }))),
  )
  server.registerResource(
    'evidence',
    template('weather://reports/{report}/evidence'),
    { description: 'The records that a report cites, each with its citation; at most the newest 1,000.', mimeType: 'application/json' },
    async (uri, { report }) => json(uri, await read((calls) => recordsOf(calls, String(report)))),
  )
}

function addPrompt(server: McpServer): void {
  server.registerPrompt(
    'what_happened_at_this_address',
    {
      description: 'What weather is on record at an address on a date, with citations.',
      argsSchema: z.object({ address: z.string(), date: z.string().describe('YYYY-MM-DD') }),
    },
    ({ address, date }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: `What hail, wind or tornado is on record at ${address} on ${date} and within two days of it? Call preview_report with a window of a month around the date and date_of_loss set to it, state what it shows and what a report costs, and ask me before create_report. Quote the report's sentences with their citation_url, keep reports and measurements apart from radar estimates, and state which data the archive lacked.`,
          },
        },
      ],
    }),
  )
}
