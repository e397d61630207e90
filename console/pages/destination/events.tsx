import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Failed, Loading } from '../../parts/states.tsx'
import { Json } from './json.tsx'

interface Event {
  name: string
  label: string
  description: string
}

interface Props {
  events: readonly Event[]
  /** Names of the events that the destination receives. */
  subscribed: readonly string[]
  /** Whether posts are signed JSON. Other channels receive messages, for which there is no sample. */
  signed: boolean
}

/** Every event, with an example of its post. */
export function Events({ events, subscribed, signed }: Props) {
  return (
    <div className="panel events">
      {events.map((event) => (
        <section key={event.name} aria-label={event.label}>
          <p>
            <strong>{event.label}</strong> <code className="small">{event.name}</code>{' '}
            <span className={subscribed.includes(event.name) ? 'badge good' : 'badge'}>
              {subscribed.includes(event.name) ? 'Subscribed' : 'Not subscribed'}
            </span>
          </p>
          <p className="soft small">{event.description}</p>
          {signed && <Sample event={event} />}
        </section>
      ))}
    </div>
  )
}

/** A sample post. It is loaded when it is opened: most are never looked at. */
function Sample({ event: { name, label } }: { event: Event }) {
  const [open, setOpen] = useState(false)
  const found = useQuery({ queryKey: ['receiving'], queryFn: () => import('#receiving'), enabled: open, staleTime: Infinity })
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="small">Sample post of {name}</summary>
      {open && found.isPending && <Loading what="the sample" />}
      {found.error && <Failed error={found.error} retry={() => found.refetch()} />}
      {open && found.data && <Json label={`Sample post: ${label}`} value={found.data.samples[name]} />}
    </details>
  )
}
