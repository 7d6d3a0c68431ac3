/** How the tools read their command lines. */
import { parseArgs } from 'node:util';

/** A line for the user that says what is wrong with the options. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

/** What `--help` says of a flag; one whose `value` is '' takes none. */
export interface Flag {
  readonly value: string;
}

/** The flags that were given, by name, and `help`. Throws OptionsError. */
export function parseFlags(
  flags: Readonly<Record<string, Flag>>,
  args: readonly string[],
): Record<string, string | boolean | undefined> {
  const options = Object.entries(flags).map(
    ([name, { value }]) => [name, { type: value === '' ? 'boolean' : 'string' }] as const,
  );
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(options), help: { type: 'boolean', short: 'h' } },
      strict: true,
      allowPositionals: false,
    });
    return values as Record<string, string | boolean | undefined>;
  } catch (error) {
    const { message } = error as Error;
    const [reason = ''] = message.split(/[.\n]/);
    const hint = /ambiguous/.test(reason)
      ? ' (for a value that begins with a dash: --name=-value)'
      : '';
    throw new OptionsError(`${reason}${hint}. See --help for the options`);
  }
}
