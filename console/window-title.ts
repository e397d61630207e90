import { displayText } from './parts/display-text.ts'

const APP_TITLE = 'Weather desk'

let pageName: string | undefined
let recordName: string | null = null

/** Sets the name of the page, as its route states it. */
export function setPageName(name: string | undefined): void {
  pageName = name
  updateTitle()
}

/** Sets the name of the one thing that the page shows; null if it shows none, or has not read it yet. */
export function setRecordName(name: string | null): void {
  recordName = name && displayText(name)
  updateTitle()
}

/** Browsers do not announce a page change that a script makes: a live region in index.html announces it. */
function updateTitle(): void {
  const names = [recordName, pageName].filter((name) => name)
  document.title = [...names, APP_TITLE].join(' · ')
  const liveRegion = document.getElementById('page-name')
  if (liveRegion && liveRegion.textContent !== names.join(', ')) liveRegion.textContent = names.join(', ')
}
