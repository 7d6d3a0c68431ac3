/** Options about how much clients may have open at once. */
import { readFileSync } from 'node:fs';
import type { Flag, FlagValues } from '../base/options/flag.ts';
import { countOf } from './values.ts';

const CONNECTIONS = 'max-connections';
const WAITING = 'max-waiting-connections';
const WATCHES = 'max-watches-per-user';

export const BOUND_FLAGS = {
  [CONNECTIONS]: {
    value: 'N',
    preset: 'auto',
    help: 'connections at once; auto: what files the process may open, but for some; 0: no bound',
  },
  [WAITING]: {
    value: 'N',
    preset: '0',
    help: 'connections of them that send no request, or only a part of its head; 0: no bound',
  },
  [WATCHES]: {
    value: 'N',
    preset: '0',
    help: 'watches of a user at once, but for administrators; 0: no bound',
  },
} as const satisfies Record<string, Flag>;

/** Infinity where there is no bound. */
export interface BoundsConfig {
  readonly connections: number;
  /** Of these, those on which no request is under way. */
  readonly waitingConnections: number;
  readonly watchesPerUser: number;
}

/** Files that are no connections: the store, the libraries, threads, and what they ask others. */
const OTHER_FILES_PART = 20;
const OTHER_FILES_MIN = 256;

/** Throws ConfigError. */
export function boundsConfig(values: FlagValues<typeof BOUND_FLAGS>): BoundsConfig {
  const connections = values[CONNECTIONS];
  return {
    connections:
      connections === 'auto' ? connectionsOf(openFilesMax()) : bound(CONNECTIONS, values),
    waitingConnections: bound(WAITING, values),
    watchesPerUser: bound(WATCHES, values),
  };
}

function bound(name: keyof typeof BOUND_FLAGS, values: FlagValues<typeof BOUND_FLAGS>): number {
  return countOf(name, values[name]) || Infinity;
}

/** The connections for which there is room beside other files. */
function connectionsOf(files: number): number {
  const others = Math.max(OTHER_FILES_MIN, Math.ceil(files / OTHER_FILES_PART));
  return Math.max(OTHER_FILES_MIN, files - others);
}

/** The number of files that this process may have open; Infinity where nobody says. */
function openFilesMax(): number {
  if (process.platform !== 'linux') return Infinity;
  const [, soft = ''] =
    /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return soft === '' ? Infinity : Number(soft);
}
