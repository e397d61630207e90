import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { type CreditKind, creditKinds } from '#domain/closed-sets.ts'
import { oneOf } from '#domain/kernel/fields.ts'
import { optional, type ValuesOf } from '#domain/kernel/form.ts'
import { type Listing, offsetOf, type PageOf, pagesByKey, readListing } from '#domain/kernel/pagination.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'

/** The values of a team that can change between two of its requests. */
interface Account {
  balance: number
  used_this_period: number
  lapsed_this_period: number
  renews_at: Date
  properties_held: number
  territories_held: number
}

const ACCOUNT = `
  SELECT balance, used_this_period, lapsed_this_period, renews_at,
         (SELECT count(*)::int FROM properties p WHERE p.team_id = t.id AND p.status <> 'archived') AS properties_held,
         (SELECT count(*)::int FROM territories r WHERE r.team_id = t.id AND r.status <> 'archived') AS territories_held
    FROM teams t WHERE id = $1`

/** Returns the contract's account object. */
export async function accountView(app: Pick<App, 'pool'>, caller: Caller) {
  const account = await readAccount(app, caller)
  const { team, plan, token } = caller
  return {
    object: 'account' as const,
    team: { name: team.name, plan: plan.tier, plan_label: plan.label, on_trial: team.on_trial, lapsed: team.lapsed },
    limits: {
      lookback_years: plan.lookback_years,
      max_radius_miles: plan.max_radius_miles,
      monthly_reports: plan.monthly_allowance,
      reports_used: account.used_this_period,
      reports_remaining: Math.max(0, plan.monthly_allowance - account.used_this_period),
      pdf_export: plan.includes.pdf_export,
    },
    credits: creditsOf(caller, account),
    token: {
      name: token.name,
      prefix: token.prefix,
      abilities: [...caller.abilities],
      expires_at: token.expires_at?.toISOString() ?? null,
      last_used_at: token.last_used_at.toISOString(),
    },
  }
}

/** Returns the contract's team object. */
export async function teamView(app: Pick<App, 'pool' | 'config'>, caller: Caller) {
  const account = await readAccount(app, caller)
  const { team, plan } = caller
  return {
    object: 'team' as const,
    name: team.name,
    timezone: team.timezone,
    plan: { tier: plan.tier, label: plan.label, on_trial: team.on_trial, lapsed: team.lapsed },
    includes: { ...plan.includes },
    limits: {
      lookback_years: plan.lookback_years,
      max_radius_miles: plan.max_radius_miles,
      properties: { held: account.properties_held, limit: plan.properties },
      territories: { held: account.territories_held, limit: plan.territories, max_area_sq_miles: plan.max_area_sq_miles },
      watch_radius_miles: plan.watch_radius_miles,
    },
    credits: creditsOf(caller, account),
    links: { credits: `${app.config.base_url}/api/v1/credits`, monitoring: `${app.config.base_url}/api/v1/monitoring/runs` },
  }
}

/** Returns the contract's credits object. */
export async function creditsView(app: Pick<App, 'pool' | 'config'>, caller: Caller) {
  const account = await readAccount(app, caller)
  return {
    object: 'credits' as const,
    ...creditsOf(caller, account),
    lapsed_this_period: account.lapsed_this_period,
    links: { transactions: `${app.config.base_url}/api/v1/credits/transactions` },
  }
}

export interface TransactionView {
  id: number
  object: 'credit_transaction'
  kind: CreditKind
  amount: number
  balance_after: number
  description: string
  note: string | null
  report_id: string | null
  created_at: string
}

/** A row of the ledger as read from the pool. */
type TransactionRow = Omit<TransactionView, 'object' | 'created_at'> & { created_at: Date }

const FILTERED = 'FROM credit_transactions WHERE team_id = $1 AND ($2::text IS NULL OR kind = $2)'
const COLUMNS = 'id, kind, amount, balance_after, description, note, report_id, created_at'
const TRANSACTIONS = `SELECT ${COLUMNS} ${FILTERED} ORDER BY id DESC LIMIT $3 OFFSET $4`
const TRANSACTIONS_TOTAL = `SELECT count(*)::int AS total ${FILTERED}`
const EVERY_TRANSACTION = `SELECT ${COLUMNS} ${FILTERED} AND id < $3::bigint ORDER BY id DESC LIMIT $4`
/** Above every id in the column. */
const ID_ABOVE_ALL = '2147483648'

/** Filters of the ledger. */
export const transactionFilters = { kind: optional(oneOf('The kind', creditKinds)) }

/**
 * Returns a page of the ledger, newest first.
 * @throws Refusal 422 with every invalid filter
 */
export async function listTransactions(
  app: Pick<App, 'pool'>,
  caller: Pick<Caller, 'team'>,
  input: Listing<typeof transactionFilters>,
): Promise<PageOf<TransactionView>> {
  const faults = gatherFaults()
  const { filters, paging } = readListing(transactionFilters, input, faults)
  faults.refuse()
  const filterValues = [caller.team.id, filters.kind ?? null]
  const [rows, counted] = await Promise.all([
    app.pool.query<TransactionRow>({
      name: 'transactions',
      text: TRANSACTIONS,
      values: [...filterValues, paging.per_page, offsetOf(paging)],
    }),
    app.pool.query({ name: 'transactions_total', text: TRANSACTIONS_TOTAL, values: filterValues }),
  ])
  return { data: rows.rows.map(transactionView), total: counted.rows[0].total }
}

/** Yields every transaction that matches the filters, newest first, a page at a time. The filters must already be checked. */
export async function* everyTransaction(
  { pool }: Pick<App, 'pool'>,
  { team }: Pick<Caller, 'team'>,
  { kind }: ValuesOf<typeof transactionFilters>,
): AsyncGenerator<TransactionView[]> {
  const pages = pagesByKey<TransactionRow>(async (last, size) => {
    const values = [team.id, kind ?? null, last?.id ?? ID_ABOVE_ALL, size]
    return (await pool.query<TransactionRow>({ name: 'transactions.every', text: EVERY_TRANSACTION, values })).rows
  })
  for await (const rows of pages) yield rows.map(transactionView)
}

function transactionView({ id, created_at, ...row }: TransactionRow): TransactionView {
  return { id, object: 'credit_transaction', ...row, created_at: created_at.toISOString() }
}

function creditsOf({ plan }: Pick<Caller, 'plan'>, account: Account) {
  return {
    balance: account.balance,
    monthly_allowance: plan.monthly_allowance,
    used_this_period: account.used_this_period,
    renews_at: account.renews_at.toISOString(),
  }
}

async function readAccount({ pool }: Pick<App, 'pool'>, { team }: Pick<Caller, 'team'>): Promise<Account> {
  const { rows } = await pool.query<Account>({ name: 'account', text: ACCOUNT, values: [team.id] })
  const account = rows[0]
  if (!account) throw new Error('the team of a caller no longer exists')
  return account
}
