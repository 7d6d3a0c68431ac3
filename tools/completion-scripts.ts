/** Completion of commands and options, as the scripts of the shells. */

export interface Completed {
  /** Options with their dashes. */
  readonly server: readonly string[];
  /** By the name of the command. */
  readonly commands: ReadonlyMap<string, readonly string[]>;
}

/** The options that a help text lists, each once. */
export function optionsIn(help: string): readonly string[] {
  const found = help.matchAll(/^ {2,}(?:-\w, )?(--[a-z][a-z0-9-]*)/gm);
  return [...new Set([...found].map(([, option = '']) => option))].sort();
}

/** Options whose values are paths: the shell completes these itself. */
const OF_PATHS = /(?:-file|-dir|-path|kubeconfig|--config|--output|--report|--to|--data-dir)$/;

export const COMPLETIONS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

function bashScript({ server, commands }: Completed): string {
  const cases = [...commands].map(
    ([name, options]) => `    ${name}) options='${options.join(' ')}' ;;\n`,
  );
  return `# Completion of shardplane for bash.
_shardplane() {
  local current=\${COMP_WORDS[COMP_CWORD]} options=
  case \${COMP_WORDS[1]} in
${cases.join('')}    *) options='${server.join(' ')}' ;;
  esac
  if [[ $COMP_CWORD -eq 1 && $current != -* ]]; then
    options='${[...commands.keys()].join(' ')}'
  elif [[ $current != -* ]]; then
    COMPREPLY=($(compgen -f -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "$options" -- "$current"))
}
complete -o filenames -F _shardplane shardplane
`;
}

function zshScript({ server, commands }: Completed): string {
  const cases = [...commands].map(
    ([name, options]) => `    ${name}) options=(${options.join(' ')}) ;;\n`,
  );
  return `#compdef shardplane
# Completion of shardplane for zsh.
_shardplane() {
  local -a options names
  names=(${[...commands.keys()].join(' ')})
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    compadd -a names
    return
  fi
  case $words[2] in
${cases.join('')}    *) options=(${server.join(' ')}) ;;
  esac
  if [[ $words[CURRENT] == -* ]]; then compadd -a options; else _files; fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _shardplane "$@"
else
  compdef _shardplane shardplane
fi
`;
}

function fishScript({ server, commands }: Completed): string {
  const names = [...commands.keys()].join(' ');
  const isServer = `not __fish_seen_subcommand_from ${names}`;
  const lines = [
    `complete -c shardplane -n '${isServer}' -f -a '${names}'`,
    ...server.map((option) => fishLine(isServer, option)),
    ...[...commands].flatMap(([name, options]) =>
      options.map((option) => fishLine(`__fish_seen_subcommand_from ${name}`, option)),
    ),
  ];
  return `# Completion of shardplane for fish.\n${lines.join('\n')}\n`;
}

function fishLine(condition: string, option: string): string {
  const value = OF_PATHS.test(option) ? ' -r -F' : '';
  return `complete -c shardplane -n '${condition}' -l ${option.slice(2)}${value}`;
}
