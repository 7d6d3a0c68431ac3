/**
 * The entry of the programs that `npm run envtest-assets` writes (envtest/README.md): the first
 * argument is the name of the program that it stands in for, the others are that program's.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useCompiledCode } from './actors/compiled-code.ts';
import { asError, fail } from './fail.ts';
import { chooseRelease } from './release/release.ts';
import { readGivenFlags } from './envtest/given-flags.ts';

const HELP = 'shardplane in the place of this program: it knows the flags that envtest gives.\n';
/** The API server may be started before its database. */
const DATABASE_MS_MAX = 10_000;

async function runApiServer(args: readonly string[]): Promise<void> {
  const { translateFlags } = await import('./envtest/api-server-flags.ts');
  const { dataDirOf } = await import('./envtest/data-dir.ts');
  const translated = translateFlags(args, existsSync);
  for (const line of translated.warnings) process.stderr.write(`kube-apiserver: ${line}\n`);
  const dataDir = await dataDirOf(translated.databases, DATABASE_MS_MAX);
  const { run } = await import('./run.ts');
  await run([`--data-dir=${dataDir}`, ...translated.args]);
}

async function runEtcd(args: readonly string[]): Promise<void> {
  const { etcdOptions, startEtcd } = await import('./envtest/etcd.ts');
  await startEtcd(etcdOptions(readGivenFlags(args)));
  // Nothing is kept: there is nothing to finish.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(0));
  }
}

const PROGRAMS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  'kube-apiserver': runApiServer,
  etcd: runEtcd,
};

async function main([name = '', ...args]: readonly string[]): Promise<void> {
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  if (program === undefined) throw new Error(`there is no program "${name}"`);
  if (args.some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(HELP);
  } else if (args.includes('--version')) {
    const { givenRelease } = await import('./envtest/api-server-flags.ts');
    chooseRelease(givenRelease(readGivenFlags(args)).minor);
    const { SERVED_RELEASE } = await import('./front/documents/version.ts');
    process.stdout.write(`Kubernetes ${SERVED_RELEASE}\n`);
  } else await program(args);
}

useCompiledCode(dirname(fileURLToPath(import.meta.url)));
main(process.argv.slice(2)).catch((error: unknown) => fail(asError(error)));
