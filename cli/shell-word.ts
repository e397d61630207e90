/** A text as one word of a command that a message suggests, quoted if a POSIX shell would take it for something else. */
export const shellWord = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
