import { Command } from 'commander'
import { expect, it } from 'vitest'
import { ask } from '../../cli/commands/command.ts'
import { sizeText } from '../../cli/commands/save-answer.ts'

function refusalOf(build: (command: Command) => Command, ...words: string[]): string {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  build(ask(program, 'pdf', 'a document', 'pdf'))
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  try {
    program.parse(['pdf', ...words], { from: 'user' })
    return 'none'
  } catch (fault) {
    return (fault as Error).message
  }
}

it('a file that is given as the format is answered with the option that takes one', () => {
  const takesFile = (command: Command) => command.option('--out <file>')
  expect(refusalOf(takesFile, '--output', 'report.pdf')).toContain(
    'Allowed choices are table, json, ndjson, csv. A file is named with --out.',
  )
  expect(refusalOf((command) => command, '--output', 'report.pdf')).toMatch(/Allowed choices are table, json, ndjson, csv\.$/)
  expect(refusalOf(takesFile, '--output', 'json')).toBe('none')
})

it('a small file has its size in bytes', () => {
  expect([sizeText(0), sizeText(9_812), sizeText(100_000)]).toEqual(['0 bytes', '9812 bytes', '0.1 MB'])
})
