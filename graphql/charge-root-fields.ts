import type { FastifyReply } from 'fastify'
import { getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { chargeRequests } from '#domain/access/rate-limit.ts'
import { rateHeaders } from '#domain/kernel/refusal-headers.ts'
import { addToRequestLog, type Context } from '#graphql/context.ts'
import { countRootFields, rootFieldNodes } from '#graphql/root-fields.ts'

/** The context, with the reply whose headers show what is left of the rate limit. */
export interface OperationContext extends Context {
  reply: FastifyReply
}

/** Adds the root fields to the request's log line: they are names of the schema, while the client chooses the operation name. */
export const logRootFields: Plugin<OperationContext> = {
  onExecute({ args: { document, operationName, contextValue } }) {
    const fields = new Set(rootFieldNodes(document, operationName).map(({ name }) => name.value))
    const mutates = getOperationAST(document, operationName)?.operation === 'mutation'
    addToRequestLog((contextValue as OperationContext).reply.request, { fields: [...fields], mutates })
  },
}

/** Charges each root field beyond the first as one more request. The request itself was counted when it was admitted. */
export const chargeRootFields: Plugin<OperationContext> = {
  async onExecute({ args: { document, operationName, contextValue } }) {
    const { app, caller, reply } = contextValue as OperationContext
    const further = countRootFields(document, operationName) - 1
    if (further < 1 || 'operator' in caller) return
    reply.headers(rateHeaders(await chargeRequests(app, caller, further)))
  },
}
