import { defaultFieldResolver, type GraphQLSchema } from 'graphql'
import type { Caller } from '#domain/access/caller.ts'
import type { Operator } from '#domain/access/operator.ts'
import { type Operation, withAuditLog } from '#domain/audit/audit-log.ts'
import type { Context } from '#graphql/context.ts'

/** Makes every mutation write the audit entries that its domain records, in the transaction of its own writes. */
export function auditMutations(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const resolve = field.resolve ?? defaultFieldResolver
    field.resolve = async (parent, args, context: Context, info) => {
      const auditContext = auditedContext(context, field.name)
      const result = await resolve(parent, args, auditContext, info)
      context.replayed = auditContext.replayed
      return result
    }
  }
  return schema
}

/** The context of one operation. The audit log attributes its transactions to that operation. */
export function auditedContext(context: Context, operation: string): Context {
  const { app, caller } = context
  const auditOperation = auditOperationOf(caller, context, operation)
  const db = withAuditLog(app.db, auditOperation)
  return {
    ...context,
    auditOperation,
    app: { ...app, db },
    caller: 'operator' in caller ? caller : { ...caller, db: withAuditLog(caller.db, auditOperation) },
  }
}

/** An operation and its caller, as the audit log names them. */
export function auditOperationOf(
  caller: Context['caller'],
  { request_id, address }: Pick<Context, 'request_id' | 'address'>,
  operation: string,
): Operation {
  const who =
    'operator' in caller ? { ...actorOfOperator(caller.operator), team_id: null } : { ...actorOf(caller), team_id: caller.team.id }
  return { ...who, operation, request_id, address }
}

/** An operator who is signed in is named by their person id. */
const actorOfOperator = ({ person_id, name }: Operator['operator']) =>
  person_id === null ? { actor_kind: 'operator' as const, actor: name } : { actor_kind: 'person' as const, actor: person_id }

const actorOf = ({ person, token }: Caller) =>
  person ? { actor_kind: 'person' as const, actor: person.id } : { actor_kind: 'token' as const, actor: token.prefix }
