import { type ComponentType, type ReactNode, useEffect } from 'react'
import { NotLoaded, preload, script, useScript } from './script.tsx'
import { Loading } from './states.tsx'

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
