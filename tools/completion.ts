/**
 * `shardplane completion bash|zsh|fish`: a script by which a shell completes commands and options.
 * The options are those that the help of each command lists.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { COMPLETIONS, optionsIn, type Completed } from './completion-scripts.ts';

const EXIT_OF_USAGE = 2;
const USAGE = `usage: npm run --silent completion -- ${Object.keys(COMPLETIONS).join('|')}

Prints a script that has a shell complete the commands and options of shardplane:

  bash   source <(shardplane completion bash)
  zsh    source <(shardplane completion zsh)
  fish   shardplane completion fish | source
`;

const build = resolve(import.meta.dirname, '../.build');

function main(args: readonly string[]): number {
  const [shell = '', ...more] = args;
  if (shell === '--help' || shell === '-h') {
    process.stdout.write(USAGE);
    return 0;
  }
  if (!Object.hasOwn(COMPLETIONS, shell) || more.length > 0) {
    process.stderr.write(USAGE);
    return EXIT_OF_USAGE;
  }
  process.stdout.write(COMPLETIONS[shell as keyof typeof COMPLETIONS](completed()));
  return 0;
}

/** The options of the server, and of each command that the package has. */
function completed(): Completed {
  const names = join(build, 'commands/names.json');
  const commands = existsSync(names) ? (JSON.parse(readFileSync(names, 'utf8')) as string[]) : [];
  const files = commands.map((name) => [name, join(build, 'commands', `${name}.js`)] as const);
  return {
    server: helpOf(join(build, 'main.js')),
    commands: new Map(
      files.map(([name, file]) => [name, name === 'completion' ? [] : helpOf(file)]),
    ),
  };
}

function helpOf(file: string): readonly string[] {
  const { stdout } = spawnSync(process.execPath, [file, '--help'], { encoding: 'utf8' });
  return optionsIn(stdout);
}

process.exitCode = main(process.argv.slice(2));
