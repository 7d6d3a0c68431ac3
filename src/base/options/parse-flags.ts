/** Command lines of the server and of its tools. */
import { parseArgs } from 'node:util';
import type { ParseArgsOptionsConfig } from 'node:util';
import { nearestName } from '../text/nearest-name.ts';

export type GivenFlags = Record<string, string | boolean | readonly string[] | undefined>;

/**
 * The flags that were given, by name; `help` is one of them always. Flags that cannot be read throw
 * the error that `refuse` makes of the reason, one sentence without its point. `insteadOf` returns
 * the flags to give for the names of other programs, or ''.
 */
export function parseFlags(
  flags: ParseArgsOptionsConfig,
  args: readonly string[],
  refuse: (reason: string) => Error,
  insteadOf: (name: string) => string = () => '',
): GivenFlags {
  const options = { ...flags, help: { type: 'boolean', short: 'h' } } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options,
      strict: true,
      allowPositionals: false,
    });
    return values as GivenFlags;
  } catch (error) {
    const [reason = ''] = (error as Error).message.split(/[.\n]/);
    const [, unknown = ''] = UNKNOWN.exec(reason) ?? [];
    const hint = unknown === '' ? '' : insteadOf(unknown) || nearest(unknown, options);
    throw refuse(hint === '' ? reason : `${reason} (${hint})`);
  }
}

const UNKNOWN = /^Unknown option '--(.*)'$/;

function nearest(given: string, options: ParseArgsOptionsConfig): string {
  const name = nearestName(given, Object.keys(options));
  return name === undefined ? '' : `did you mean --${name}?`;
}
