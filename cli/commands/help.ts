import type { Command } from 'commander'
import { exits, failure } from '../failure.ts'

/** weather help: the help of a command at any depth, such as `weather help reports list`. */
export function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('help for a command')
    .argument('[command...]', 'names of the command, such as reports list')
    .action((names: string[]) => commandAt(program, names).help())
}

/** @throws Failure naming the first name that is no command */
function commandAt(program: Command, names: readonly string[]): Command {
  return names.reduce((command, name, depth) => {
    const found = command.commands.find((one) => one.name() === name || one.aliases().includes(name))
    if (found) return found
    throw failure(
      exits.usage,
      `There is no command ${names.slice(0, depth + 1).join(' ')}: see weather ${[...names.slice(0, depth), '--help'].join(' ')}.`,
    )
  }, program)
}
