import { Argument, type Command } from 'commander'

/** weather completion: completion scripts for shells, generated from the commands. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', '\nExample:\n  source <(weather completion bash)')
    .action((shell: 'bash' | 'zsh' | 'fish') => {
      process.stdout.write(scripts[shell](completionsByPath(program)))
    })
}

/** The words of every command, with what may follow: subcommands and options. */
function completionsByPath(command: Command, path: string[] = []): Map<string, string[]> {
  const subcommands = command.commands.filter((one) => one.name() !== 'help')
  const options = command.options.flatMap(({ long }) => (long ? [long] : []))
  const here: [string, string[]] = [path.join(' '), [...subcommands.flatMap(namesOf), ...options, '--help']]
  return new Map([here, ...subcommands.flatMap((one) => namesOf(one).flatMap((name) => [...completionsByPath(one, [...path, name])]))])
}

/** A command may have several names: whoami is also account. */
const namesOf = (command: Command) => [command.name(), ...command.aliases()]

const cases = (words: Map<string, string[]>) => [...words].map(([path, next]) => `    '${path}') next='${next.join(' ')}' ;;`).join('\n')

/** What may follow a command: an option, or a subcommand, where no file may be. */
const fishLine = (path: string, word: string) =>
  word.startsWith('--')
    ? `complete -c weather -n "__weather_at '${path}'" -l ${word.slice(2)}`
    : `complete -c weather -f -n "__weather_at '${path}'" -a ${word}`

const scripts = {
  // Runs in zsh too, whose variable `path` is the search path of programs, and whose slices need `$(( ))` around a sum.
  bash: (words: Map<string, string[]>) => `_weather() {
  local typed='' word
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$word" in -*) ;; *) case " $(_weather_next "$typed") " in *" $word "*) typed="\${typed:+$typed }$word" ;; esac ;; esac
  done
  COMPREPLY=($(compgen -W "$(_weather_next "$typed")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
_weather_next() {
  local next=''
  case "$1" in
${cases(words)}
  esac
  echo "$next"
}
complete -o default -F _weather weather
`,
  zsh: (words: Map<string, string[]>) => `autoload -U +X bashcompinit && bashcompinit\n${scripts.bash(words)}`,
  fish: (words: Map<string, string[]>): string =>
    `set -g __weather_commands ${[...words.keys()].map((path) => `'${path}'`).join(' ')}
function __weather_at
  set -l typed ''
  set -l words (commandline -opc)
  set -e words[1]
  for word in $words
    set -l longer (string trim -- "$typed $word")
    contains -- "$longer" $__weather_commands; and set typed "$longer"
  end
  test "$typed" = "$argv[1]"
end
${[...words].flatMap(([path, next]) => next.map((word) => fishLine(path, word))).join('\n')}
`,
}
