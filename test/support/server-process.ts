/**
 * Runs the built server in a process of its own, for the flow tests and the benchmarks. Every
 * process started here is ended by its id, also when the caller is interrupted.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server as NetServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from './patience.ts';

const READY_MS_MAX = PATIENCE_MS;
const EXIT_MS_MAX = PATIENCE_MS;
/** Below the ports that systems give to outgoing connections. */
const PORT_MIN = 20_000;
const PORT_COUNT = 6_000;
const PORT_TRIES_MAX = 100;
/** Other programs may take a free port before the server does. */
const PORT_ATTEMPTS_MAX = 3;

export interface ServerProcessOptions {
  /** More flags, after the ones that the harness sets; a repeated flag overrides them. */
  readonly args?: readonly string[];
  /** Flags of the runtime itself, e.g. `--cpu-prof`. */
  readonly nodeArgs?: readonly string[];
  /** The main file of another build of it. */
  readonly program?: string;
  /** Left in place by `dispose`; without it the server gets a temporary folder. */
  readonly dataDirectory?: string;
  /** The largest file that it may write: acts like a full disk, and needs no rights. */
  readonly fileKibibytesMax?: number;
  /** Beside the environment of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built server; `SHARDPLANE_SERVER` names another build to test. */
export function serverCommand(): string {
  const path =
    process.env['SHARDPLANE_SERVER'] ??
    fileURLToPath(new URL('../../.build/main.js', import.meta.url));
  if (!existsSync(path)) throw new Error(`the server is not built: ${path} does not exist`);
  return path;
}

const running = new Set<ChildProcess>();
/** Folders made here that are still there. */
const folders = new Set<string>();

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  folders.delete(folder);
}

function cleanUp(): void {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) removeFolder(folder);
}

let exitHooksInstalled = false;
function installExitHooks(): void {
  if (exitHooksInstalled) return;
  exitHooksInstalled = true;
  process.once('exit', cleanUp);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGALRM'] as const) {
    process.once(signal, () => {
      cleanUp();
      process.kill(process.pid, signal);
    });
  }
}

/** A child whose output is kept and which does not outlive this process. */
export class Child {
  readonly process: ChildProcess;
  readonly exited: Promise<Exit>;
  stdout = '';
  stderr = '';

  constructor(
    command: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ) {
    installExitHooks();
    // Where the compiled code of tests is (tools/strip-cache.mjs): servers have their own.
    const env = { ...process.env, NODE_COMPILE_CACHE: undefined, ...environment };
    this.process = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(this.process);
    this.process.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.exited = once(this.process, 'close').then(([code, signal]) => {
      running.delete(this.process);
      return { code, signal, stdout: this.stdout, stderr: this.stderr };
    });
  }

  /** It no longer keeps this process alive, and ends with it. */
  unref(): void {
    this.process.unref();
    for (const stream of [this.process.stdout, this.process.stderr]) (stream as Socket).unref();
  }

  /** Resolves with the exit; SIGKILLs and rejects when it takes too long. */
  async exit(milliseconds: number): Promise<Exit> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), milliseconds);
    });
    const result = await Promise.race([this.exited, timeout]);
    clearTimeout(timer);
    if (result !== 'late') return result;
    this.process.kill('SIGKILL');
    await this.exited;
    throw new Error(`process did not end within ${milliseconds} ms; stderr: ${this.stderr}`);
  }
}

/**
 * A TCP port that nothing listens on, and that no other test is given while this process runs, so
 * that a server can also be started there again. What says so to the other processes of tests is a
 * listener on another port, which stands for this one.
 */
export async function freePort(): Promise<number> {
  for (let tries = 1; tries <= PORT_TRIES_MAX; tries += 1) {
    const port = PORT_MIN + randomInt(PORT_COUNT);
    const claim = await listener(port + PORT_COUNT);
    if (claim === undefined) continue;
    const probe = await listener(port);
    if (probe === undefined) {
      claim.close();
      continue;
    }
    probe.close();
    await once(probe, 'close');
    claim.unref();
    return port;
  }
  throw new Error(`no free port in ${PORT_TRIES_MAX} tries`);
}

/** Undefined where something listens there. */
async function listener(port: number): Promise<NetServer | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/** A new empty folder, gone at the latest when this process ends. */
export function temporaryFolder(): string {
  installExitHooks();
  const folder = mkdtempSync(join(tmpdir(), 'shardplane-test-'));
  folders.add(folder);
  return folder;
}

/** Runs the server with exactly these flags until it ends by itself, as a wrong start does. */
export async function runToExit(
  args: readonly string[],
  nodeArgs: readonly string[] = [],
): Promise<Exit> {
  const child = new Child(process.execPath, [...nodeArgs, serverCommand(), ...args]);
  return child.exit(EXIT_MS_MAX);
}

/** The same of another build, of which that is the main file. */
export function runProgram(program: string, args: readonly string[]): Promise<Exit> {
  return new Child(process.execPath, [program, ...args]).exit(EXIT_MS_MAX);
}

export class ServerProcess {
  readonly port: number;
  readonly dataDirectory: string;
  /** From the start of the process to its ready line. */
  readonly readyMilliseconds: number;
  readonly token: string;
  readonly #child: Child;
  readonly #ownsData: boolean;

  constructor(
    child: Child,
    port: number,
    dataDirectory: string,
    ownsData: boolean,
    readyMilliseconds: number,
    token: string,
  ) {
    this.#child = child;
    this.port = port;
    this.dataDirectory = dataDirectory;
    this.#ownsData = ownsData;
    this.readyMilliseconds = readyMilliseconds;
    this.token = token;
  }

  get pid(): number {
    return this.#child.process.pid ?? 0;
  }

  get stdout(): string {
    return this.#child.stdout;
  }

  get stderr(): string {
    return this.#child.stderr;
  }

  get exited(): Promise<Exit> {
    return this.#child.exited;
  }

  /** Asks for an orderly end and waits for it. */
  async stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<Exit> {
    this.#child.process.kill(signal);
    return this.#child.exit(EXIT_MS_MAX);
  }

  /** Ends it as a crash would: nothing of it runs any more when this resolves. */
  async kill(): Promise<Exit> {
    this.#child.process.kill('SIGKILL');
    return this.#child.exit(EXIT_MS_MAX);
  }

  /** Lets this process end while it runs: then it ends too, and its temporary folder goes. */
  unref(): void {
    this.#child.unref();
  }

  /** Ends it if it still runs and removes its temporary folder. */
  async dispose(): Promise<void> {
    await this.kill();
    if (this.#ownsData) removeFolder(this.dataDirectory);
  }
}

async function waitForReadyLine(child: Child): Promise<void> {
  const deadline = Date.now() + READY_MS_MAX;
  const stdout = child.process.stdout;
  if (stdout === null) throw new Error('the server has no stdout');
  while (!/^shardplane ready.*\n/m.test(child.stdout)) {
    const ended = child.process.exitCode !== null || child.process.signalCode !== null;
    if (ended || Date.now() > deadline) {
      child.process.kill('SIGKILL');
      const exit = await child.exited;
      throw new Error(`the server did not become ready (exit ${exit.code}): ${exit.stderr}`);
    }
    const wake = new AbortController();
    const options = { signal: wake.signal };
    const late = setTimeout(() => wake.abort(), deadline - Date.now());
    await Promise.race([once(stdout, 'data', options), once(child.process, 'exit', options)]).catch(
      () => undefined,
    );
    clearTimeout(late);
    wake.abort();
  }
}

function startNode(
  args: readonly string[],
  { fileKibibytesMax, environment }: ServerProcessOptions,
): Child {
  if (fileKibibytesMax === undefined) return new Child(process.execPath, args, environment);
  // `exec` keeps the process id: what is ended later is the server itself.
  const script = `ulimit -f ${fileKibibytesMax}; exec "$0" "$@"`;
  return new Child('bash', ['-c', script, process.execPath, ...args], environment);
}

/**
 * Tests and benchmarks count objects: those that the server makes for itself are left out, flows
 * too. Nor does it say how much is used of a quota, or whether other servers are there, or hold
 * volumes.
 */
const OFF = [
  'bootstrap',
  'serviceaccount',
  'serviceaccount-token',
  'root-ca-cert-publisher',
  'resourcequota',
  'pvc-protection',
  'pv-protection',
  'api-service-status',
  'flow-control',
];

/** The option by which all others run, and those of them that are named. */
export function controllersWith(...names: readonly string[]): readonly string[] {
  const off = OFF.filter((name) => !names.includes(name));
  return ['--controllers', ['*', ...off.map((name) => `-${name}`)].join(',')];
}

/**
 * Facts about objects were recorded without the rules of a cluster, which have tests of their own
 * (`--disable-admission-plugins=` brings them back).
 */
export const RULES = [
  'ServiceAccount',
  'LimitRanger',
  'ResourceQuota',
  'Priority',
  'DefaultTolerationSeconds',
  'TaintNodesByCondition',
  'StorageObjectInUseProtection',
  'DefaultStorageClass',
  'PersistentVolumeClaimResize',
  'RuntimeClass',
  'CertificateApproval',
  'CertificateSigning',
  'CertificateSubjectRestriction',
  'DefaultIngressClass',
  'PodSecurity',
];
const ADMISSION = [`--disable-admission-plugins=${RULES.join(',')}`];

/** `SHARDPLANE_FRONTS` has any test or long run use so many fronts. */
function fronts(): readonly string[] {
  const count = process.env['SHARDPLANE_FRONTS'];
  return count === undefined ? [] : ['--fronts', count];
}

/**
 * Starts the server on a free port of 127.0.0.1, HTTPS off, without the objects by which programs
 * find the API, those that each namespace gets, and what is used of quotas (`--controllers=*`
 * brings them back), and without the rules of a cluster, and waits for its ready line. Rejects with
 * what it wrote on stderr when it ends before that.
 */
export async function launchServer(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const ownsData = options.dataDirectory === undefined;
  const dataDirectory = options.dataDirectory ?? temporaryFolder();
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const flags = ['--data-dir', dataDirectory, '--port', String(port), '--secure-port', '0'];
    const { args: more = [] } = options;
    // They would win over the same option in a file.
    const given = more.includes('--config')
      ? more
      : [...controllersWith(), ...ADMISSION, ...fronts(), ...more];
    const { nodeArgs = [], program = serverCommand() } = options;
    const args = [...nodeArgs, program, ...flags, ...given];
    const startedAt = performance.now();
    const child = startNode(args, options);
    try {
      await waitForReadyLine(child);
      const readyMilliseconds = performance.now() - startedAt;
      const token = (await readFile(join(dataDirectory, 'admin.token'), 'utf8')).trim();
      return new ServerProcess(child, port, dataDirectory, ownsData, readyMilliseconds, token);
    } catch (error) {
      child.process.kill('SIGKILL');
      const portTaken = /in use/i.test(child.stderr);
      if (portTaken && attempt < PORT_ATTEMPTS_MAX) continue;
      if (ownsData) removeFolder(dataDirectory);
      throw error;
    }
  }
}
