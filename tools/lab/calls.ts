/** The commands that are one request to the laboratory each (src/laboratory/README.md). */
import { readFileSync } from 'node:fs';
import type { GivenFlags } from '../../src/base/options/parse-flags.ts';
import { OptionsError, type Flag } from '../flags.ts';
import { textOf } from '../backup/target.ts';

/** One request. */
interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/shardplane/lab/v1/`. */
  readonly path: string;
  readonly body?: object;
}

interface Command {
  /** What follows the name of the command. */
  readonly takes: string;
  readonly help: string;
  readonly call: (first: string, given: GivenFlags) => Call;
}

export const CALL_FLAGS: Readonly<Record<string, Flag>> = {
  'dry-run': { value: '' },
  to: { value: 'VERSION' },
  by: { value: 'N' },
  events: { value: 'N' },
  'mask-secrets': { value: '' },
  count: { value: 'N' },
  port: { value: 'N' },
  ahead: { value: 'N' },
  advance: { value: 'DURATION' },
  set: { value: 'TIME' },
  factor: { value: 'N' },
};

const LISTS = {
  snapshots: 'snapshots',
  forks: 'forks',
  faults: 'faults',
  views: 'views',
  recordings: 'recordings',
} as const;

export const CALLS: Readonly<Record<string, Command>> = {
  snapshots: list('snapshots', 'the moments that are kept'),
  snapshot: {
    takes: 'NAME',
    help: 'keep this moment of all types',
    call: (name) => ({ method: 'POST', path: 'snapshots', body: { name: named(name) } }),
  },
  restore: {
    takes: 'NAME [--dry-run]',
    help: 'go back to that moment',
    call: (name, given) => {
      const query = given['dry-run'] === true ? '?dryRun=All' : '';
      return { method: 'POST', path: `snapshots/${named(name)}/restore${query}` };
    },
  },
  fork: {
    takes: 'NAME [--port N] [--ahead N]',
    help: 'start a server of its own with that moment',
    call: (name, given) => ({
      method: 'POST',
      path: `snapshots/${named(name)}/fork`,
      body: numbers(given, ['port', 'ahead']),
    }),
  },
  forks: list('forks', 'the servers that were started so'),
  diff: {
    takes: 'NAME|VERSION [--to NAME|VERSION]',
    help: 'what has changed since, or between the two',
    call: (from, given) => {
      const to = textOf(given, 'to');
      const until = to === '' ? '' : `&to=${encodeURIComponent(to)}`;
      return { method: 'GET', path: `diff?from=${named(from)}${until}` };
    },
  },
  faults: list('faults', 'the faults, and what they have done'),
  fault: {
    takes: 'JSON|@FILE',
    help: 'add a fault',
    call: (text) => ({ method: 'POST', path: 'faults', body: documentOf(text) }),
  },
  release: {
    takes: 'NAME [--count N]',
    help: 'let go what a fault holds',
    call: (name, given) => ({
      method: 'POST',
      path: `faults/${named(name)}/release`,
      body: numbers(given, ['count']),
    }),
  },
  journal: {
    takes: 'NAME',
    help: 'what a fault has decided',
    call: (name) => ({ method: 'GET', path: `faults/${named(name)}/journal` }),
  },
  views: list('views', 'the stale views, and where they are'),
  view: {
    takes: 'JSON|@FILE',
    help: 'have clients see the past',
    call: (text) => ({ method: 'POST', path: 'views', body: documentOf(text) }),
  },
  advance: {
    takes: 'NAME --to VERSION|--by N|--events N',
    help: 'move a view',
    call: (name, given) => ({
      method: 'POST',
      path: `views/${named(name)}/advance`,
      body: numbers(given, ['to', 'by', 'events']),
    }),
  },
  clock: {
    takes: '[--advance 1h|--set TIME|--factor N]',
    help: 'what the time is, or move it (with --clock laboratory)',
    call: (_none, given) => {
      const members = { ...texts(given, ['advance', 'set']), ...numbers(given, ['factor']) };
      if (Object.keys(members).length === 0) return { method: 'GET', path: 'clock' };
      return { method: 'POST', path: 'clock', body: members };
    },
  },
  recordings: list('recordings', 'the recordings that are under way'),
  record: {
    takes: 'NAME [--mask-secrets]',
    help: 'begin a recording',
    call: (name, given) => ({
      method: 'POST',
      path: 'recordings',
      body: { name: named(name), maskSecrets: given['mask-secrets'] === true },
    }),
  },
  stop: {
    takes: 'NAME',
    help: 'end a recording; tells its file',
    call: (name) => ({ method: 'POST', path: `recordings/${named(name)}/stop`, body: {} }),
  },
  remove: {
    takes: Object.keys(LISTS)
      .map((kind) => `${kind}/NAME`)
      .join('|'),
    help: 'end one of them',
    call: (path) => ({ method: 'DELETE', path: removable(path) }),
  },
};

function list(path: string, help: string): Command {
  return { takes: '', help, call: () => ({ method: 'GET', path }) };
}

function named(name: string): string {
  if (name === '') throw new OptionsError('give a NAME');
  return encodeURIComponent(name);
}

function removable(path: string): string {
  const [kind = '', name = '', ...more] = path.split('/');
  if (Object.hasOwn(LISTS, kind) && more.length === 0) return `${kind}/${named(name)}`;
  throw new OptionsError(`"${path}" is none of ${Object.keys(LISTS).join(', ')}, with /NAME`);
}

/** Throws OptionsError for what is no JSON. */
function documentOf(text: string): object {
  const isFile = text.startsWith('@');
  try {
    return JSON.parse(isFile ? readFileSync(text.slice(1), 'utf8') : text) as object;
  } catch (error) {
    const what = isFile ? text.slice(1) : 'what is given';
    throw new OptionsError(`${what} is no document in JSON: ${(error as Error).message}`);
  }
}

function texts(given: GivenFlags, names: readonly string[]): Record<string, string> {
  const all = names.map((name) => [name, textOf(given, name)] as const);
  return Object.fromEntries(all.filter(([, text]) => text !== ''));
}

function numbers(given: GivenFlags, names: readonly string[]): Record<string, number> {
  const all = names.map((name) => [name, textOf(given, name)] as const);
  return Object.fromEntries(
    all.flatMap(([name, text]) => {
      if (text === '') return [];
      if (!/^[0-9]+$/.test(text)) throw new OptionsError(`--${name} is "${text}": give a number`);
      return [[name, Number(text)]];
    }),
  );
}
