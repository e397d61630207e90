/** How the service's messages name fields that the forms call otherwise, and what the forms call them. A label that is no noun is quoted. */
const formNames: Record<string, string> = {
  'The url': 'The address',
  'The label': 'The name',
  'The brand name': 'The name',
  'The brand logo': 'The logo',
  'The window start': '“From”',
  'the window start': '“From”',
  'The window end': '“To”',
  'lie within the window': 'lie between “From” and “To”',
  'The least hail': 'The minimum hail',
  'The least gust': 'The minimum gust',
  'The greatest distance': 'The maximum distance',
  'The pace': '“When”',
}

const NAMES = new RegExp(`(?:${Object.keys(formNames).join('|')})\\b`, 'g')

/** A validation message in the words of the form: the service names a field by the key of its API, which no form shows. */
export const inFormWords = (message: string) => message.replace(NAMES, (name) => formNames[name] ?? name)
