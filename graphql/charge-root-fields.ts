import type { FastifyReply } from 'fastify'
import type { Plugin } from 'graphql-yoga'
import { chargeRequests } from '#domain/access/authenticate.ts'
import { rateHeaders } from '#domain/kernel/refusal-headers.ts'
import { addToRequestLog, type Context } from '#graphql/context.ts'
import { countRootFields, rootFieldNodes } from '#graphql/root-fields.ts'

/** The context, with the answer whose headers say what is left of the minute. */
export interface OperationContext extends Context {
  reply: FastifyReply
}

/** Has the request's log line name the root fields: names of the schema, where the operation's own name would be the client's word. */
export const logRootFields: Plugin<OperationContext> = {
  onExecute({ args: { document, operationName, contextValue } }) {
    const fields = new Set(rootFieldNodes(document, operationName).map(({ name }) => name.value))
    addToRequestLog((contextValue as OperationContext).reply.request, { fields: [...fields] })
  },
}

/** A request was counted as one when it was admitted; each root field beyond the first counts as one more. */
export const chargeRootFields: Plugin<OperationContext> = {
  async onExecute({ args: { document, operationName, contextValue } }) {
    const { app, caller, reply } = contextValue as OperationContext
    const further = countRootFields(document, operationName) - 1
    if (further < 1 || 'operator' in caller) return
    reply.headers(rateHeaders(await chargeRequests(app, caller, further)))
  },
}
