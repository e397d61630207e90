import { type ComponentType, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Loading } from './states.tsx'

/** A part of the console that has a script of its own. */
interface Script<Part> {
  /** Null until it is loaded. */
  part: Part | null
  /** Begins anew where it failed before. */
  load: () => Promise<void>
}

export function script<Part>(load: () => Promise<Part>): Script<Part> {
  const made: Script<Part> = {
    part: null,
    async load() {
      made.part ??= await load()
    },
  }
  return made
}

/** Has parts at hand by the time that somebody wants them; one that does not come is loaded when it is wanted. */
export async function preload(...scripts: Script<unknown>[]): Promise<void> {
  await Promise.allSettled(scripts.map(({ load }) => load()))
}

/** A part once it is wanted and there, whether it could not be loaded, and what tries again. */
export function useScript<Part>(of: Script<Part>, wanted = true) {
  const [ended, setEnded] = useState<'loaded' | 'failed' | null>(null)
  const retry = useCallback(() => {
    setEnded(null)
    of.load().then(
      () => setEnded('loaded'),
      () => setEnded('failed'),
    )
  }, [of])
  useEffect(() => {
    if (wanted && !of.part) retry()
  }, [of, wanted, retry])
  return { part: of.part, failed: ended === 'failed', retry }
}

type LoadedPage = (() => ReactNode) & { preload: () => Promise<void> | undefined }

/**
 * A page by its name in its script, as the router takes it: it is loaded while the page before is shown, and once more where that failed.
 */
export function loadedPage<Module>(load: () => Promise<Module>, name: keyof Module): LoadedPage {
  const of = script(async () => (await load())[name] as ComponentType)
  function Page() {
    const { part: Part, failed, retry } = useScript(of)
    useEffect(() => {
      if (failed) void reloadOnce()
    }, [failed])
    if (Part) return <Part />
    return failed ? <NotLoaded what="This page" heading="h1" retry={retry} /> : <Loading what="the page" />
  }
  // The router draws at once what it need not wait for.
  return Object.assign(Page, { preload: () => (of.part ? undefined : preload(of)) })
}

const RELOADED = 'weather-reloaded'
const ONCE_IN_MS = 60_000

/** Where the service answers, it may be a newer one that has other scripts: a page that was just gone to holds nothing that would be lost. */
async function reloadOnce(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < ONCE_IN_MS) return
  const answer = await fetch('/app/assets/main.js', { method: 'HEAD' }).catch(() => null)
  if (!answer?.ok) return
  sessionStorage.setItem(RELOADED, String(Date.now()))
  window.location.reload()
}

interface NotLoadedProps {
  what: string
  heading?: 'h1' | 'h2'
  retry: () => void
}

/** Says that a part could not be loaded, and what to do. */
export function NotLoaded({ what, heading: Heading = 'h2', retry }: NotLoadedProps) {
  return (
    <div className="state" role="alert">
      <Heading>{what} could not be loaded</Heading>
      <p>
        There is no connection, or the service was updated since this page was opened. Try again, or reload the page: what you have not
        saved is lost then.
      </p>
      <div className="row">
        <Button onPress={retry}>Try again</Button>
        <Button onPress={() => window.location.reload()}>Reload the page</Button>
      </div>
    </div>
  )
}

interface InPlaceProps {
  title: string
  failed: boolean
  retry: () => void
  /** None where nothing that is pressed closes it, and what is beneath is not seen. */
  close: (() => void) | undefined
}

/** Stands in the place of a dialog whose script is not there, and needs none itself. */
export function InPlaceOfDialog({ title, failed, retry, close }: InPlaceProps) {
  const shown = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = shown.current
    dialog?.showModal()
    // It gives the focus back while it is in the page still.
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={shown}
      className={close ? 'dialog' : 'dialog closed'}
      aria-label={title}
      onClose={() => (close ? close() : shown.current?.showModal())}
    >
      {failed ? <NotLoaded what={`“${title}”`} retry={retry} /> : <Loading what={`“${title}”`} />}
      {close && (
        <div className="end">
          <Button onPress={close}>Close</Button>
        </div>
      )}
    </dialog>
  )
}
