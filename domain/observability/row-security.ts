import type { App } from '#domain/app.ts'
import { tupleOf } from '#domain/kernel/present.ts'

/**
 * Returns sentences that state the gaps in the row-level security around each team's rows, and what to do; empty if it fully
 * applies to the role that serves.
 */
export async function rowSecurityGaps({ pool }: Pick<App, 'pool'>): Promise<string[]> {
  const { rows } = await pool.query<RoleAccess>(ROLE_ACCESS)
  const [{ role, passes, owns, without, forced }] = tupleOf(rows, 1)
  return [
    passes && `The service is connected as ${role}, which bypasses row-level security in PostgreSQL. ${SEPARATE}`,
    owns && !passes && `The service is connected as ${role}, which owns its tables and can change their row-level security. ${SEPARATE}`,
    without.length > 0 && `Row-level security is off on ${without.join(', ')}: run the service once with --migrate.`,
    !forced &&
      'Row-level security does not apply to the owner of the tables: run the service once with --migrate --force-rows --roles=none when no process of an earlier version serves.',
  ].filter((gap) => gap !== false)
}

const SEPARATE = 'Give DATABASE_URL a role of its own and DATABASE_MIGRATE_URL the owner, and run it once with --migrate.'

interface RoleAccess {
  role: string
  passes: boolean
  owns: boolean
  without: string[]
  forced: boolean
}

const ROLE_ACCESS = `
  SELECT r.rolname AS role, r.rolsuper OR r.rolbypassrls AS passes, bool_or(pg_has_role(c.relowner, 'USAGE')) AS owns,
         coalesce(array_agg(t.name::text ORDER BY t.name::text) FILTER (WHERE NOT t.walled), '{}') AS without, bool_and(t.forced OR NOT t.walled) AS forced
    FROM team_tables() t JOIN pg_class c ON c.oid = t.name, pg_roles r WHERE r.rolname = current_user GROUP BY r.rolname, r.rolsuper, r.rolbypassrls`
