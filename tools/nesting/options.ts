/** The flags of `npm run check:nesting`, checked. */
import { OptionsError, parseOptions } from '../flags.ts';

/** Texts to readers in a thread, requests to a server, or both. */
const PARTS = ['readers', 'server'] as const;
type Part = (typeof PARTS)[number];

export interface NestingOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly parts: readonly Part[];
}

const FLAGS = {
  seconds: { value: 'N', help: 'how long readers are sent random texts (60); at least one text' },
  seed: { value: 'N', help: 'of the first text; the one after it is of the next seed (1)' },
  only: { value: 'PART', help: `only one of ${PARTS.join(', ')}` },
} as const;

export function helpText(): string {
  const flags = Object.entries(FLAGS).map(([name, { value, help }]) => {
    return `  --${`${name} ${value}`.padEnd(14)}${help}`;
  });
  return `Usage: npm run check:nesting [-- options]

Sends all that reads bytes of clients texts that nest: pairs and triples of what each format has,
up to as much as may be sent. Nothing may fail, on threads with a quarter of a server's stack. Then
sends the worst of each format to a server, which is to answer all of it.

Tells of each reader what took longest: the CPU time of one turn, in which nobody else on its thread
is served. SHARDPLANE_SERVER names the main.js of another build.

${flags.join('\n')}
  --${'help'.padEnd(14)}show this text

Exit code: 0 when nothing failed, 1 when something did, 2 for a wrong option.
`;
}

/** Reads the arguments; undefined when they ask for help. Throws `OptionsError`. */
export function readOptions(args: readonly string[]): NestingOptions | undefined {
  const given = parseOptions(FLAGS, args);
  if (given['help'] === true) return undefined;
  const only = given['only'];
  const parts = PARTS.filter((part) => only === undefined || part === only);
  if (parts.length === 0) {
    throw new OptionsError(`--only is "${String(only)}": give one of ${PARTS.join(', ')}`);
  }
  const number = (name: 'seconds' | 'seed', preset: string): number => {
    const text = String(given[name] ?? preset);
    if (!/^[0-9]{1,9}$/.test(text)) throw new OptionsError(`--${name} is "${text}": give a number`);
    return Number(text);
  };
  return { seconds: number('seconds', '60'), seed: number('seed', '1'), parts };
}
