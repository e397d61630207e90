import { useQuery } from '@tanstack/react-query'
import { Failed, Loading } from '../../parts/states.tsx'

/** What the receiver of signed posts must do, with the limits of the service. */
export function ReceiverDuties() {
  const found = useQuery({ queryKey: ['receiving'], queryFn: () => import('#receiving'), staleTime: Infinity })
  if (found.isPending) return <Loading what="the duties of a receiver" />
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
          <strong>Respond with 2xx within {limits.answer_seconds} seconds</strong> and do the work afterwards. After any other response the
          service retries: {limits.attempts} attempts over {limits.attempts_over_hours} hours. Respond with 410 to stop all posts.
        </li>
        <li>
          <strong>Handle each delivery once.</strong> A post can arrive more than once and in any order. <code>X-Service-Delivery</code> is
          the same in every repeat.
        </li>
        <li>
          <strong>Stay reachable.</strong> After {limits.failing_after} deliveries in a row fail for good, the destination is marked as
          failing. If nothing has arrived for {limits.switched_off_after_days} days when a delivery fails for good, or while the receiver
          asks for pauses, it is switched off. Without posts it stays active.
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
