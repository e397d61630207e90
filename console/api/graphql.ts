import { print } from '@0no-co/graphql.web'
import { initGraphQLTada, type TadaDocumentNode } from 'gql.tada'
import { parseExact, stringifyExact } from './exact-json.ts'
import type { introspection } from './schema.d.ts'
import { ApiError, CONSOLE_HEADERS, fetchParsed, messageOf } from './session.ts'

/** Types a document's variables and result from the committed schema. */
export const graphql = initGraphQLTada<{
  introspection: introspection
  scalars: {
    ID: string
    Date: string
    DateTime: string
    UUID: string
    GeoJson: object
    LayoutInput: object
    ReportRowInput: object
    PropertyRowInput: object
  }
}>()

/** The text of a document. It is printed by the package whose parser gql.tada brings along: graphql's own printer would be 11 kB more. */
export const printDocument = (document: Parameters<typeof print>[0]): string => print(document)

/** The team in which requests are made; a person may be in several. */
let currentTeamId: string | null = null

/** Sets the team that later requests are about; null for none. */
export function setCurrentTeam(id: string | null): void {
  currentTeamId = id
}

interface GraphError {
  message: string
  extensions: {
    status: number
    code: string
    errors: Record<string, string[]> | null
    existing_id: string | null
    retry_after: number | null
    request_id: string
  }
}

/**
 * Sends a document to the service, in the current team unless another is given.
 * @throws ApiError with the service's message for the first error
 */
export function ask<Result, Variables>(
  document: TadaDocumentNode<Result, Variables>,
  variables: Variables,
  team_id = currentTeamId,
): Promise<Result> {
  return send(document, variables, team_id === null ? {} : { 'x-weather-team': team_id })
}

/** Sends a document as an operator, across all teams. It has no timeout, because an operator's request may take minutes. */
export function askAsOperator<Result, Variables>(document: TadaDocumentNode<Result, Variables>, variables: Variables): Promise<Result> {
  return send(document, variables, { 'x-weather-operator': '1' }, { signal: null })
}

/** @throws SyntaxError if the text is not a response of the service: a proxy in front of it may respond with GraphQL too */
function parseResponse(text: string): unknown {
  const read = parseExact(text)
  if (typeof read !== 'object' || read === null) throw new SyntaxError('not a GraphQL response')
  const isOurs = 'errors' in read ? Array.isArray(read.errors) && read.errors.every((one) => one?.extensions?.code) : 'data' in read
  if (isOurs) return read
  throw new SyntaxError('not a GraphQL response')
}

async function send<Result, Variables>(
  document: TadaDocumentNode<Result, Variables>,
  variables: Variables,
  scopeHeaders: Record<string, string>,
  options: Pick<RequestInit, 'signal'> = {},
): Promise<Result> {
  const query = printDocument(document)
  const writes = query.startsWith('mutation')
  const { read } = await fetchParsed<{ data: Result; errors?: GraphError[] }>('/graphql', {
    method: 'POST',
    headers: { ...CONSOLE_HEADERS, 'content-type': 'application/json', ...scopeHeaders },
    body: stringifyExact({ query, variables }),
    writes,
    parse: parseResponse,
    ...options,
  })
  const [first] = read.errors ?? []
  if (!first) return read.data
  const { status, code, errors: fields, existing_id, retry_after, request_id } = first.extensions
  throw new ApiError(status, code, messageOf(status, first.message, writes), fields ?? {}, request_id, existing_id, retry_after)
}
