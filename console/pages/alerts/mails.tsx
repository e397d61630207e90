import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { ask, graphql } from '../../api/graphql.ts'
import { Listing } from '../../parts/listing.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import { pageMetaOf } from '../../parts/table.tsx'
import { mailStatuses, whenOf } from './labels.ts'

const MAILS = graphql(`
  query AlertMails($status: AlertMailStatus, $page: Int, $per_page: Int) {
    alertMails(status: $status, page: $page, per_page: $per_page) {
      total
      data { id email subject exposure_ids status status_label attempts failure_reason maybe_repeated send_after sent_at failed_at created_at }
    }
  }
`)

type Mail = NonNullable<ResultOf<typeof MAILS>['alertMails']>['data'][number]
type Status = keyof typeof mailStatuses

const PER_PAGE = 25
const statuses = Object.keys(mailStatuses) as Status[]

/** Every mail that the rules have queued, with its status. */
export function AlertMails() {
  const { status: requestedStatus, page = 1 } = useSearch({ from: '/framed/alerts' })
  const navigate = useNavigate({ from: '/alerts' })
  const status = statuses.find((one) => one === requestedStatus) ?? null
  const found = useQuery({
    queryKey: ['alert-mails', status, page],
    queryFn: () => ask(MAILS, { status, page, per_page: PER_PAGE }),
    placeholderData: keepPreviousData,
  })
  const mails = found.data?.alertMails
  return (
    <>
      <div className="filters">
        <SelectField
          label="Status"
          value={status ?? ''}
          change={(value) => navigate({ search: value ? { status: value } : {}, replace: true })}
          options={[['', 'All'], ...Object.entries(mailStatuses)]}
        />
      </div>
      <Listing<Mail>
        what="the e-mails"
        heading="h3"
        found={found}
        page={mails && { data: mails.data, meta: pageMetaOf(page, { per_page: PER_PAGE, rows: mails.data.length, total: mails.total }) }}
        empty={<p className="soft">{status ? 'No e-mail has this status.' : 'No e-mail has been sent yet.'}</p>}
        go={(to) => navigate({ search: { ...(status && { status }), page: to } })}
        caption="E-mails, newest first"
        keyOf={({ id }) => id}
        columns={[
          { label: 'When', short: true, show: whenOf },
          { label: 'Subject', freeText: true, show: (mail) => <Subject mail={mail} /> },
          { label: 'To', freeText: true, show: ({ email }) => email },
          { label: 'Attempts', number: true, show: ({ attempts }) => attempts },
          { label: 'Status', show: (mail) => <MailStatus mail={mail} /> },
        ]}
      />
    </>
  )
}

function Subject({ mail: { subject, exposure_ids } }: { mail: Mail }) {
  const [first, ...others] = exposure_ids
  if (first === undefined) return subject
  return (
    <>
      <Link to="/exposures/$id" params={{ id: String(first) }}>
        {subject}
      </Link>
      {others.length > 0 && <span className="soft small"> about {exposure_ids.length} storm days</span>}
    </>
  )
}

const badgeClasses: Partial<Record<Status, string>> = { sent: 'badge good', failed: 'badge bad', retrying: 'badge warn' }

function MailStatus({ mail: { status, status_label, failure_reason, maybe_repeated } }: { mail: Mail }) {
  return (
    <>
      <span className={badgeClasses[status] ?? 'badge'}>{status_label}</span>{' '}
      <span className="soft small">
        {failure_reason} {maybe_repeated && 'The mail server may have received it twice.'}
      </span>
    </>
  )
}
