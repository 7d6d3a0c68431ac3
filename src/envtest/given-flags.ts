/** Command lines in the manner of the reference's programs. */
import { ConfigError } from '../base/options/config-error.ts';

export type GivenFlags = ReadonlyMap<string, readonly string[]>;

const FLAG = /^--?([^=-][^=]*)(?:=(.*))?$/s;

/**
 * The values of each flag, known or not, in order: `--name=value`, `--name value`, or `--name` for
 * true, as which one that is a switch is always read. Underscores count as dashes. Throws
 * ConfigError for what is no flag.
 */
export function readGivenFlags(
  args: readonly string[],
  isSwitch: (name: string) => boolean = () => false,
): GivenFlags {
  const given = new Map<string, string[]>();
  const left = [...args];
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    const [, written, inline] = FLAG.exec(argument) ?? [];
    if (written === undefined) throw new ConfigError(`"${argument}" is no flag: give --NAME=VALUE`);
    const name = written === 'h' ? 'help' : written.replaceAll('_', '-');
    const isFollowed = inline === undefined && !isSwitch(name) && /^[^-]/.test(left[0] ?? '');
    const value = inline ?? (isFollowed ? left.shift() : undefined) ?? 'true';
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  return given;
}
