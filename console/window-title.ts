const APP_TITLE = 'Weather desk'

let page: string | undefined
let thing: string | null = null

/** Sets the name of the page, as its route states it. */
export function namePage(name: string | undefined): void {
  page = name
  show()
}

/** Sets the name of the one thing that the page shows; null if it shows none, or has not read it yet. */
export function nameThing(name: string | null): void {
  thing = name
  show()
}

/** Browsers do not announce a page change that a script makes: a live region in index.html announces it. */
function show(): void {
  const names = [thing, page].filter((name) => name)
  document.title = [...names, APP_TITLE].join(' · ')
  const liveRegion = document.getElementById('page-name')
  if (liveRegion && liveRegion.textContent !== names.join(', ')) liveRegion.textContent = names.join(', ')
}
