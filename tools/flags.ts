/** How the tools read their command lines. */
import { parseFlags, type GivenFlags } from '../src/base/options/parse-flags.ts';

/** A line for the user that says what is wrong with the options. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

/** A flag as `--help` shows it; one whose `value` is '' takes none. */
export interface Flag {
  readonly value: string;
  /** One letter, for short. */
  readonly short?: string;
}

/** The flags that were given, by name, and `help`. Throws OptionsError. */
export function parseOptions(
  flags: Readonly<Record<string, Flag>>,
  args: readonly string[],
): GivenFlags {
  const options = Object.entries(flags).map(
    ([name, { value, short }]) =>
      [
        name,
        {
          type: value === '' ? ('boolean' as const) : ('string' as const),
          ...(short === undefined ? {} : { short }),
        },
      ] as const,
  );
  return parseFlags(Object.fromEntries(options), args, (reason) => {
    const hint = /ambiguous/.test(reason)
      ? ' (for a value that begins with a dash: --name=-value)'
      : '';
    return new OptionsError(`${reason}${hint}. See --help for the options`);
  });
}
