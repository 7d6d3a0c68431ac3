/** The flags of `npm run check:power-cuts`, checked. */
import type { Durability } from '../../src/storage/store.ts';
import { OptionsError, parseOptions } from '../flags.ts';

export interface CutOptions {
  /** So many cuts for each durability. */
  readonly cuts: number;
  readonly seed: number;
  readonly durabilities: readonly Durability[];
  /** Folders that were found broken stay. */
  readonly keeps: boolean;
}

const FLAGS = {
  cuts: { value: 'N', help: 'of each durability (40)' },
  seed: { value: 'N', help: 'for all that is random; servers take their own time besides' },
  durability: { value: 'NAME', help: 'fsync or relaxed; both if absent' },
  keep: { value: '', help: 'keep the folders that are not as they must be' },
} as const;

export function helpText(): string {
  const flags = Object.entries(FLAGS).map(([name, { value, help }]) => {
    return `  --${`${name} ${value}`.padEnd(18)}${help}`;
  });
  return `Usage: npm run check:power-cuts [-- options]

Records what a server writes into its data folder, and flushes, while clients write and it is
killed and started again; then writes what the disk may hold after a power cut at random moments:
all that was flushed, and of the rest any part in any order, in pieces of 512 bytes to 16 KiB.
Each such folder is served again and must be right: it starts with nothing that was promised
missing, all types are as of the same moment, watches see the history of that, no version is given
away twice, and writes go on. The exit code is 0 only then. Needs Linux and gcc.
SHARDPLANE_SERVER names the main.js of another build.

${flags.join('\n')}
  --${'help'.padEnd(18)}show this text
`;
}

/** Reads the arguments; undefined when they ask for help. Throws OptionsError. */
export function readOptions(args: readonly string[]): CutOptions | undefined {
  const given = parseOptions(FLAGS, args);
  if (given['help'] === true) return undefined;
  const numberOf = (name: 'cuts' | 'seed', preset: number): number => {
    const text = String(given[name] ?? preset);
    if (/^[0-9]{1,9}$/.test(text)) return Number(text);
    throw new OptionsError(`--${name} is "${text}": give a number`);
  };
  const durability = given['durability'];
  if (durability !== undefined && durability !== 'fsync' && durability !== 'relaxed') {
    throw new OptionsError(`--durability is "${String(durability)}": give fsync or relaxed`);
  }
  return {
    cuts: numberOf('cuts', 40),
    seed: numberOf('seed', Date.now() % 1_000_000),
    durabilities: durability === undefined ? ['fsync', 'relaxed'] : [durability],
    keeps: given['keep'] === true,
  };
}
