/** `npm run lab -- example`: a controller with a bug that a campaign finds, and its test. */
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '../backup/tool-error.ts';
import { parseOptions } from '../flags.ts';
import type { Output } from '../output.ts';

const SOURCE = join(import.meta.dirname, 'example');
const FOLDER = 'keeper';

/** Writes over nothing. */
export function writeExample(args: readonly string[], output: Output): Promise<number> {
  const [folder = FOLDER, ...rest] = args;
  parseOptions({}, rest);
  const files = readdirSync(SOURCE);
  const taken = files.find((file) => existsSync(join(folder, file)));
  if (taken !== undefined) throw new ToolError(`${join(folder, taken)} is there already`);
  mkdirSync(folder, { recursive: true });
  for (const file of files) copyFileSync(join(SOURCE, file), join(folder, file));
  const lines = [
    'Beside a server that runs with --laboratory:',
    '',
    '  npm run lab -- snapshot begin',
    "  npm run lab -- campaign --snapshot begin --user-agent 'keeper/*' --give-up 2000 \\",
    `    --command 'node ${folder}/keeper.mjs' \\`,
    `    --scenario 'node ${folder}/scenario.mjs' --check 'node ${folder}/check.mjs'`,
  ];
  output.write(`${lines.join('\n')}\n`);
  return Promise.resolve(0);
}
