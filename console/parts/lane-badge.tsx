import { moment } from './format.ts'

interface Lane {
  state: 'off' | 'running' | 'quiet' | 'stalled' | 'failing'
  last_complete_at: string | null
}

const badgeClasses: Record<Lane['state'], string> = { quiet: 'good', running: 'good', stalled: 'bad', failing: 'bad', off: '' }

/** The state of a monitoring lane, which distinguishes quiet from stopped. */
export function LaneBadge({ lane: { state, last_complete_at } }: { lane: Lane }) {
  return (
    <>
      <span className={`badge ${badgeClasses[state]}`}>{wordsFor({ state, last_complete_at })}</span>{' '}
      {state === 'quiet' && <span className="soft small">last read {moment(last_complete_at)}</span>}
    </>
  )
}

function wordsFor({ state, last_complete_at }: Lane): string {
  if (state === 'quiet') return 'All quiet'
  if (state === 'running') return 'Running'
  if (state === 'off') return 'Off'
  return last_complete_at ? `Stopped since ${moment(last_complete_at)}` : 'Never completed a run'
}
