/** The flags of `npm run check:attacks`, checked. */
import { OptionsError, parseOptions } from '../flags.ts';
import { SCENARIOS } from './scenarios.ts';

export interface AttackOptions {
  /** Names of scenarios, in the order in which they run. */
  readonly names: readonly string[];
  readonly isSmall: boolean;
  readonly seed: number;
}

const FLAGS = {
  only: { value: 'NAMES', help: 'these scenarios, such as list-yaml,big-creates; all if absent' },
  small: { value: '', help: 'little of everything: whether it runs, not how fast' },
  seed: { value: 'N', help: 'for all that is random (1)' },
} as const;

export function helpText(): string {
  const flags = Object.entries(FLAGS).map(([name, { value, help }]) => {
    return `  --${`${name} ${value}`.padEnd(14)}${help}`;
  });
  const scenarios = Object.entries(SCENARIOS).map(([name, { what }]) => {
    return `  ${name.padEnd(18)}${what}`;
  });
  return `Usage: npm run check:attacks [-- options]

Starts a server for each scenario, in which some clients ask for too much, and tells what another
client saw meanwhile that got an object about every 10 ms: one of the type that is attacked and one
of another type, with the health checks that failed, the most memory that the server had, and how
long the turns of its threads were at most (to the next power of two; 4096 is that or longer).
SHARDPLANE_SERVER names the main.js of another build to measure.

${flags.join('\n')}
  --${'help'.padEnd(14)}show this text

${scenarios.join('\n')}
`;
}

/** Reads the arguments; undefined when they ask for help. Throws `OptionsError`. */
export function readOptions(args: readonly string[]): AttackOptions | undefined {
  const given = parseOptions(FLAGS, args);
  if (given['help'] === true) return undefined;
  const known = Object.keys(SCENARIOS);
  const names = typeof given['only'] === 'string' ? given['only'].split(',') : known;
  for (const name of names) {
    if (!known.includes(name)) {
      throw new OptionsError(`--only is "${name}": give some of ${known.join(', ')}`);
    }
  }
  const seed = String(given['seed'] ?? '1');
  if (!/^[0-9]{1,9}$/.test(seed)) throw new OptionsError(`--seed is "${seed}": give a number`);
  return { names, isSmall: given['small'] === true, seed: Number(seed) };
}
