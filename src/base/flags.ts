/** Command lines of the server and of its tools. */
import { parseArgs } from 'node:util';
import type { ParseArgsOptionsConfig } from 'node:util';

export type GivenFlags = Record<string, string | boolean | readonly string[] | undefined>;

/**
 * The flags that were given, by name; `help` is one of them always. Throws what `refuse` makes of
 * the reason for which they cannot be read, which is one sentence without its point.
 */
export function parseFlags(
  flags: ParseArgsOptionsConfig,
  args: readonly string[],
  refuse: (reason: string) => Error,
): GivenFlags {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { ...flags, help: { type: 'boolean', short: 'h' } },
      strict: true,
      allowPositionals: false,
    });
    return values as GivenFlags;
  } catch (error) {
    const [reason = ''] = (error as Error).message.split(/[.\n]/);
    throw refuse(reason);
  }
}
