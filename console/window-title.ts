const DESK = 'Weather desk'

let page: string | undefined
let thing: string | null = null

/** Names the page, as its route does. */
export function namePage(name: string | undefined): void {
  page = name
  show()
}

/** Names the one thing that the page is of; null where it is of none, or has not read it. */
export function nameThing(name: string | null): void {
  thing = name
  show()
}

/** A browser says nothing of a page that scripts have put in the place of another: index.html holds the element that does. */
function show(): void {
  const names = [thing, page].filter((name) => name)
  document.title = [...names, DESK].join(' · ')
  const said = document.getElementById('page-name')
  if (said && said.textContent !== names.join(', ')) said.textContent = names.join(', ')
}
