import os from 'node:os';
import path from 'node:path';
import { endOnSignals, runProgram } from './child-process.mjs';
import { ROOT, setUp } from './set-up.mjs';

/**
 * The program of each command, and whether it needs the development packages. Those that need none
 * are in the package that is packed too, but for the ones whose names have a colon: they build or
 * check what is in a checkout.
 */
export const COMMANDS = {
  start: { complete: false, flags: [], program: '.build/main.js' },
  test: { complete: true, flags: [], program: 'tools/test.ts' },
  check: { complete: true, flags: [], program: 'tools/check.ts' },
  bench: { complete: false, flags: [], program: 'bench/main.ts' },
  'bench:authorization': {
    complete: true,
    flags: ['--expose-gc'],
    program: 'bench/authorization.ts',
  },
  'bench:custom-objects': { complete: true, flags: [], program: 'bench/custom-objects.ts' },
  'bench:etcd': { complete: true, flags: [], program: 'bench/etcd.ts' },
  'bench:field-owners': { complete: true, flags: [], program: 'bench/field-owners.ts' },
  'bench:forms': { complete: true, flags: [], program: 'bench/forms.ts' },
  'bench:hop': { complete: true, flags: [], program: 'bench/hop.ts' },
  'bench:kind-rules': { complete: true, flags: [], program: 'bench/kind-rules.ts' },
  'bench:servers': { complete: true, flags: [], program: 'bench/servers.ts' },
  'bench:write-path': { complete: true, flags: [], program: 'bench/write-path.ts' },
  backup: { complete: false, flags: [], program: 'tools/backup/backup-main.ts' },
  'build:etcd': { complete: false, flags: [], program: 'tools/build-etcd.ts' },
  'check:access': { complete: true, flags: [], program: 'tools/reference/access.ts' },
  'check:attacks': { complete: true, flags: [], program: 'tools/attacks/main.ts' },
  'check-deprecated': { complete: false, flags: [], program: 'tools/deprecated/main.ts' },
  'check:history': { complete: true, flags: [], program: 'test/model/run-history.ts' },
  'check:nesting': { complete: true, flags: [], program: 'tools/nesting/main.ts' },
  'check:policy': { complete: true, flags: [], program: 'tools/release/policy.ts' },
  'check:power-cuts': { complete: true, flags: [], program: 'tools/power-cuts/main.ts' },
  'check:reference': { complete: true, flags: [], program: 'tools/reference/main.ts' },
  'check:release': { complete: true, flags: [], program: 'tools/release/main.ts' },
  'check:servers': { complete: true, flags: [], program: 'test/model/servers/run-servers.ts' },
  completion: { complete: false, flags: [], program: 'tools/completion.ts' },
  convert: { complete: false, flags: [], program: 'tools/convert/main.ts' },
  'envtest-assets': { complete: false, flags: [], program: 'tools/envtest-assets.ts' },
  export: { complete: false, flags: [], program: 'tools/backup/export-main.ts' },
  import: { complete: false, flags: [], program: 'tools/backup/import-main.ts' },
  lab: { complete: false, flags: [], program: 'tools/lab/main.ts' },
  move: { complete: false, flags: [], program: 'tools/move/main.ts' },
  'package:tarball': { complete: true, flags: [], program: 'tools/package/build-tarball.ts' },
  package: { complete: true, flags: [], program: 'tools/package/build-package.ts' },
  repair: { complete: false, flags: [], program: 'tools/backup/repair-main.ts' },
  restore: { complete: false, flags: [], program: 'tools/backup/restore-main.ts' },
  soak: { complete: false, flags: [], program: 'tools/soak/main.ts' },
  top: { complete: false, flags: [], program: 'tools/top/main.ts' },
  verify: { complete: false, flags: [], program: 'tools/backup/verify-main.ts' },
};

/** Exit codes of a program that the system ended for what it did, or that the runtime gave up. */
const CRASHES = new Map(
  ['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL'].map((name) => [
    128 + (os.constants.signals[name] ?? 0),
    name,
  ]),
);

/**
 * Sets up what the command needs, then runs it with the terminal as its own and passes signals on.
 * Gives the exit code: that of the program, or 128 plus the number of the signal that ended it.
 * Throws `SetUpError`, whose message is for the user.
 */
export async function launch(name, args) {
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
  if (command === undefined) {
    console.error(`usage: node tools/launch.mjs ${Object.keys(COMMANDS).join('|')} [args...]`);
    return 2;
  }
  endOnSignals();
  const node = await setUp({ complete: command.complete });
  const program = path.join(ROOT, command.program);
  const code = await runProgram(node, [...command.flags, program, ...args]);
  const crash = name === 'start' ? crashText(code) : undefined;
  if (crash !== undefined) console.error(crash);
  return code;
}

/** Explains why a server ended with a code; undefined where it has said so by itself. */
export function crashText(code) {
  const signal = CRASHES.get(code);
  if (signal === undefined) return undefined;
  return (
    `shardplane: the server was ended by ${signal}; the lines above tell what is known of why. ` +
    'Start it again: it checks its data folder first'
  );
}
