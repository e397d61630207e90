import { useCallback, useEffect, useState } from 'react'
import { Button } from './button.tsx'

/** A part of the console that has a script of its own. */
interface Script<Part> {
  /** Null until it is loaded. */
  part: Part | null
  /** Loads the part, or retries after a failure. */
  load: () => Promise<void>
}

/** @param load imports the script and returns the part */
export function lazyScript<Part>(load: () => Promise<Part>): Script<Part> {
  const result: Script<Part> = {
    part: null,
    async load() {
      result.part ??= await load()
    },
  }
  return result
}

/** Preloads parts. A part that fails to load is loaded again when it is needed. */
export async function preload(...scripts: Script<unknown>[]): Promise<void> {
  await Promise.allSettled(scripts.map(({ load }) => load()))
}

/** Returns a part once it is wanted and loaded, whether loading failed, and a function to retry. */
export function useScript<Part>(target: Script<Part>, wanted = true) {
  const [outcome, setOutcome] = useState<'loaded' | 'failed' | null>(null)
  const retry = useCallback(() => {
    setOutcome(null)
    target.load().then(
      () => setOutcome('loaded'),
      () => setOutcome('failed'),
    )
  }, [target])
  useEffect(() => {
    if (wanted && !target.part) retry()
  }, [target, wanted, retry])
  return { part: target.part, failed: outcome === 'failed', retry }
}

interface NotLoadedProps {
  what: string
  heading?: 'h1' | 'h2'
  retry: () => void
}

/** States that a part could not be loaded, and offers to retry or reload. */
export function NotLoaded({ what, heading: Heading = 'h2', retry }: NotLoadedProps) {
  return (
    <div className="state" role="alert">
      <Heading>{what} could not be loaded</Heading>
      <p>
        The connection failed, or the service was updated after you opened this page. Try again, or reload the page. If you reload, unsaved
        changes are lost.
      </p>
      <div className="row">
        <Button onPress={retry}>Try again</Button>
        <Button onPress={() => window.location.reload()}>Reload the page</Button>
      </div>
    </div>
  )
}
