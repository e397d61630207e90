import { type ComponentType, type ReactNode, useEffect } from 'react'
import { lazyScript, NotLoaded, preload, useScript } from './script.tsx'
import { Loading } from './states.tsx'

type LoadedPage = (() => ReactNode) & { preload: () => Promise<void> | undefined }

/**
 * Returns a page component for the router that loads its script while the previous page is still shown, and retries once if that failed.
 */
export function loadedPage<Module>(load: () => Promise<Module>, name: keyof Module): LoadedPage {
  const pageScript = lazyScript(async () => (await load())[name] as ComponentType)
  function Page() {
    const { part: Part, failed, retry } = useScript(pageScript)
    useEffect(() => {
      if (failed) void reloadOnce()
    }, [failed])
    if (Part) return <Part />
    return failed ? <NotLoaded what="This page" heading="h1" retry={retry} /> : <Loading what="the page" />
  }
  // Without a promise the router renders the page at once.
  return Object.assign(Page, { preload: () => (pageScript.part ? undefined : preload(pageScript)) })
}

const RELOADED_AT_KEY = 'weather-reloaded'
const RELOAD_INTERVAL_MS = 60_000

/**
 * If the service responds, it may be a newer version with other scripts. Reloading loses nothing, because the person has just arrived
 * on the page.
 */
async function reloadOnce(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT_KEY)) < RELOAD_INTERVAL_MS) return
  const response = await fetch('/app/assets/main.js', { method: 'HEAD' }).catch(() => null)
  if (!response?.ok) return
  sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))
  window.location.reload()
}
