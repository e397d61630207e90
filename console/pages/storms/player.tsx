import { useEffect, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import { usePageKeys } from '../../parts/use-page-keys.ts'
import { isEditable } from '../../use-keys.ts'

interface Props {
  times: readonly number[]
  /** IANA time zone of the place. */
  timezone: string
  step: number
  /** Called with the current step; `isSettled` once playback stays there. */
  onStep: (step: number, isSettled: boolean) => void
  copyLink: () => void
}

/** Steps per second. */
const speeds = ['1', '2', '4', '8', '16']
const DEFAULT_SPEED = '4'

const clock = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', timeZone, timeZoneName: 'short' }).format(at)

/**
 * Whether the target handles the key itself: fields take every key, and buttons and checkboxes the space key. Links take none: a link
 * keeps the focus after a day was picked.
 */
function handlesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement) || target.matches('[type="range"]')) return false
  return isEditable(target) || (key === ' ' && target.matches('button, [type="checkbox"]'))
}

/** Plays through a day. Its keys work unless somebody types in a field. */
export function Player({ times, timezone, step, onStep, copyLink }: Props) {
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(DEFAULT_SPEED)
  const last = times.length - 1
  const go = (to: number) => {
    setPlaying(false)
    onStep(Math.min(Math.max(to, 0), last), true)
  }
  const toggle = () => {
    if (!isPlaying && step >= last) onStep(0, false)
    if (isPlaying) onStep(step, true)
    setPlaying(!isPlaying)
  }
  useEffect(() => {
    if (!isPlaying) return
    const timer = setTimeout(() => {
      if (step < last) return onStep(step + 1, false)
      setPlaying(false)
      onStep(last, true)
    }, 1000 / Number(speed))
    return () => clearTimeout(timer)
  }, [isPlaying, step, last, speed, onStep])
  const changeSpeed = (by: 1 | -1) => setSpeed(speeds[speeds.indexOf(speed) + by] ?? speed)
  usePageKeys(
    {
      ' ': toggle,
      ',': () => go(step - 1),
      '.': () => go(step + 1),
      '<': () => changeSpeed(-1),
      '>': () => changeSpeed(1),
    },
    handlesKey,
  )
  const at = times[step] ?? 0
  const valueText = `${clock(at, timezone)}, ${clock(at, 'UTC')}`
  return (
    <section className="panel player" aria-label="Playback">
      {/* Moments that pass while playing are too many to be read out. */}
      <p className="player-clock" aria-live={isPlaying ? 'off' : 'polite'} aria-atomic>
        <strong>{clock(at, timezone)}</strong> <span className="soft">{clock(at, 'UTC')}</span>
      </p>
      <Field label="Time">
        {(controlProps) => (
          <input
            {...controlProps}
            type="range"
            min={0}
            max={last}
            value={step}
            aria-valuetext={valueText}
            onChange={(event) => go(Number(event.target.value))}
          />
        )}
      </Field>
      <div className="row">
        <Button kind="primary" onPress={toggle}>
          {isPlaying ? 'Pause' : 'Play'}
        </Button>
        <Button isPending={step <= 0} onPress={() => go(step - 1)}>
          Back
        </Button>
        <Button isPending={step >= last} onPress={() => go(step + 1)}>
          Forward
        </Button>
        <SelectField label="Steps per second" value={speed} options={speeds.map((one) => [one, one] as const)} change={setSpeed} />
        <Button onPress={copyLink}>Copy link</Button>
      </div>
      <p className="soft small keys">
        <kbd>Space</kbd> plays and pauses, <kbd>,</kbd> <kbd>.</kbd> step, <kbd>&lt;</kbd> <kbd>&gt;</kbd> change the speed.
      </p>
    </section>
  )
}
