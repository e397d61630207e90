import { useQuery } from '@tanstack/react-query'
import { ask, graphql } from '../../api/graphql.ts'
import { counted, moment } from '../../parts/format.ts'
import { Failed, Loading } from '../../parts/states.tsx'

const VERIFICATION = graphql(`
  query Verification($id: UUID!) {
    reportVerification(report: $id) {
      fingerprint short_fingerprint authoritative generated_at as_of records observations sources_searched sources_found
      log { index checkpoint timestamp }
    }
  }
`)

/** Reads a checkpoint: the name of the log, its number of entries, and its signers (C2SP tlog-checkpoint). */
export function readCheckpoint(note: string): { origin: string; size: number; signers: string[] } {
  const [origin = '', size = ''] = note.split('\n')
  const signers = [...note.matchAll(/^— (\S+) \S+$/gmu)].map(([, name = '']) => name)
  return { origin, size: Number(size), signers }
}

/** What anyone can verify of the report: its fingerprint, and its entry in the log. */
export function Verification({ id, reference, recipient }: { id: string; reference: string | null; recipient: string | null }) {
  const found = useQuery({ queryKey: ['verification', id], queryFn: () => ask(VERIFICATION, { id }) })
  if (found.isPending) return <Loading what="the verification" />
  const verification = found.data?.reportVerification
  if (!verification) return <Failed error={found.error ?? new Error('This report has no verification.')} retry={() => found.refetch()} />
  const { fingerprint, short_fingerprint, authoritative, log } = verification
  return (
    <section className="panel">
      <h2>Verification</h2>
      <p>
        {authoritative ? (
          <span className="badge good">Authoritative</span>
        ) : (
          <>
            <span className="badge warn">Not authoritative</span> Its coverage, above, says why.
          </>
        )}
      </p>
      <dl className="facts">
        <dt>Fingerprint</dt>
        <dd>
          <span className="mono">{short_fingerprint}</span> <span className="mono soft small fingerprint">{fingerprint}</span>
        </dd>
        <dt>Public page</dt>
        <dd>
          <a href={`/verify/${fingerprint}`}>Verify this report</a>
        </dd>
        <dt>Based on</dt>
        <dd>
          {counted(verification.records, 'record')}, {counted(verification.observations, 'observation')}; {verification.sources_found} of{' '}
          {counted(verification.sources_searched, 'source')} with records
        </dd>
        <dt>Log entry</dt>
        <dd>{log ? <Entry {...log} /> : 'None yet. A complete report is logged within minutes.'}</dd>
        <dt>Generated</dt>
        <dd>
          {moment(verification.generated_at)}
          {verification.as_of && `, from what was known on ${moment(verification.as_of)}`}
        </dd>
        {reference && (
          <>
            <dt>Reference</dt>
            <dd>{reference}</dd>
          </>
        )}
        {recipient && (
          <>
            <dt>Prepared for</dt>
            <dd>{recipient}</dd>
          </>
        )}
      </dl>
      <p className="soft small apart-above">
        The PDF contains its evidence and a signature. Anyone can drop it on the public page to check both in their own browser.
      </p>
    </section>
  )
}

function Entry({ index, checkpoint, timestamp }: { index: number; checkpoint: string; timestamp: string | null }) {
  const { origin, size, signers } = readCheckpoint(checkpoint)
  const witnesses = signers.filter((name) => name !== origin)
  return (
    <>
      Entry {index.toLocaleString('en-US')} of the log <span className="mono">{origin}</span>, which has {counted(size, 'entry', 'entries')}
      , counted from 0. Signed by the log
      {witnesses.length > 0 && ` and by ${witnesses.length === 1 ? 'the witness' : 'the witnesses'} ${witnesses.join(', ')}`}.{' '}
      {timestamp ? 'A time-stamping authority confirmed the time.' : 'No time-stamping authority confirmed the time.'}
    </>
  )
}
