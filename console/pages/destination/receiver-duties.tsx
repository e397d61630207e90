import { useQuery } from '@tanstack/react-query'
import { Failed, Loading } from '../../parts/states.tsx'

/** What the receiver of signed posts must do, with the service's own limits. */
export function ReceiverDuties() {
  const found = useQuery({ queryKey: ['receiving'], queryFn: () => import('#receiving'), staleTime: Infinity })
  if (found.isPending) return <Loading what="what a receiver must do" />
  if (found.isLoadingError) return <Failed error={found.error} retry={() => found.refetch()} />
  const { signature, limits, headers } = found.data
  return (
    <section aria-labelledby="receiver">
      <h2 className="apart-above" id="receiver">
        What the receiver must do
      </h2>
      <ol className="panel duties">
        <li>
          <strong>Verify the signature</strong> in <code>{signature.header}</code> over the raw body, before it is parsed:{' '}
          {signature.algorithm}, keyed with the whole secret. Compare in constant time, and refuse a timestamp more than{' '}
          {signature.tolerance_seconds} seconds from now.
        </li>
        <li>
          <strong>Answer 2xx within {limits.answer_seconds} seconds</strong> and do the work afterwards. Any other answer is tried again:{' '}
          {limits.attempts} attempts over {limits.attempts_over_hours} hours. Answer 410 to be sent nothing more.
        </li>
        <li>
          <strong>Handle each delivery once.</strong> A post can arrive twice and in any order; <code>X-Service-Delivery</code> is the same
          in every repeat of it.
        </li>
        <li>
          <strong>Stay reachable.</strong> After {limits.failing_after} deliveries in a row that were given up, the destination is marked as
          failing; if nothing arrives for {limits.switched_off_after_days} days, it is switched off.
        </li>
      </ol>
      <details>
        <summary>Headers of every post</summary>
        <dl className="facts">
          {headers.map(({ name, description }) => (
            <div className="contents" key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{description}</dd>
            </div>
          ))}
        </dl>
      </details>
      <p className="apart-above">
        <a href="/docs">API reference</a>
      </p>
    </section>
  )
}
