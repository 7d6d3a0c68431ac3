/**
 * A server under test as all clients of a run share it: whether it is up, and what was recorded.
 */
import { newGate } from '../support/gate.ts';
import type { Gate } from '../support/gate.ts';
import { kindOf } from './custom-kinds.ts';
import { collectionPath, typePath } from '../support/kinds.ts';
import type { Random } from '../support/random.ts';
import type { Answer, RequestHeaders, Server } from '../support/server.ts';
import { selectorQuery } from './records.ts';
import type { HistoryRecord, Observed, Scope } from './records.ts';
import type { WatchConnection } from './watch-connection.ts';

/** Few of each, so that clients get in each other's way. */
export const TYPES = ['ConfigMap', 'Secret', 'Lease', 'Widget'] as const;
export const NAMESPACES = ['n1', 'n2'] as const;
export const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
export const APPS = ['x', 'y', 'z'] as const;
/** Holds objects so large that a stalled watch falls off its ring. */
export const BULK_NAMESPACE = 'bulk';
export const BULK_NAMES = ['a', 'b'] as const;

const VERSIONS_KEPT = 400;

/** A watch that is open now. */
export interface OpenWatch {
  readonly type: string;
  readonly scope: Scope;
  readonly connection: WatchConnection;
  lastVersion: number;
  /** It had time to see all that was written before the run ends. */
  settled: boolean;
}

export class LiveRun {
  readonly server: Server;
  readonly records: HistoryRecord[] = [];
  readonly openWatches = new Set<OpenWatch>();
  /** Resolves when watches are to end, having had the time to see everything. */
  readonly settled: Gate = newGate();
  /** Resolves when clients are to stop. */
  readonly finishing: Gate = newGate();
  /** Fails when the server ends by itself. */
  readonly failure: Gate = newGate();
  isFinishing = false;
  isSettled = false;
  /** The newest change that was seen. */
  highestChange = 0;
  /** How much was written of what is large. */
  bulkBytes = 0;
  /** The objects that clients believe to be stored, by type and key. */
  readonly believed = new Map<string, Observed>();
  readonly #versions: number[] = [];
  #isUp = false;
  #up: Gate = newGate();
  #stamps = 0;

  constructor(server: Server) {
    this.server = server;
  }

  now(): number {
    return Math.round(performance.now() * 1_000) / 1_000;
  }

  /** Resolves at once, or when the server is back. */
  async whenUp(): Promise<void> {
    return this.#up.promise;
  }

  /** Clients stop; watches that are open stay so. */
  finish(): void {
    this.isFinishing = true;
    this.finishing.open();
  }

  /** Ends the watches that are still open. */
  settle(): void {
    this.isSettled = true;
    this.settled.open();
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  setUp(isUp: boolean): void {
    this.#isUp = isUp;
    if (isUp) this.#up.open();
    else this.#up = newGate();
  }

  record(record: HistoryRecord): void {
    this.records.push(record);
  }

  newStamp(): string {
    this.#stamps++;
    return `s${this.#stamps}`;
  }

  /** A version in an answer; that of a list may be of no change, or of one that is not kept yet. */
  saw(version: number, isChange: boolean): void {
    if (isChange) this.highestChange = Math.max(this.highestChange, version);
    if (!(version > 0)) return;
    this.#versions.push(version);
    if (this.#versions.length > 2 * VERSIONS_KEPT) this.#versions.splice(0, VERSIONS_KEPT);
  }

  /** One of the versions seen last, of any type. */
  oldVersion(random: Random): number {
    return this.#versions[random.below(this.#versions.length)] ?? 1;
  }

  /** The answer, or undefined when the connection broke. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: RequestHeaders = {},
  ): Promise<Answer | undefined> {
    try {
      return await this.server.request(method, path, body, headers);
    } catch {
      return undefined;
    }
  }

  scopePath(type: string, scope: Scope, parameters: readonly string[]): string {
    const kind = kindOf(type);
    const path = scope.namespace === '' ? collectionPath(kind) : typePath(kind, scope.namespace);
    const query = [selectorQuery(scope), ...parameters].filter((text) => text !== '').join('&');
    return query === '' ? path : `${path}?${query}`;
  }
}

/** Waits, but not longer than until clients are to stop. */
export async function pause(run: LiveRun, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([over, run.finishing.promise]);
  clearTimeout(timer);
}

/** Runs one step of a client after the other while the server is up and the run goes on. */
export async function repeat(run: LiveRun, step: () => Promise<void>): Promise<void> {
  for (;;) {
    await Promise.race([run.whenUp(), run.finishing.promise]);
    if (run.isFinishing) return;
    await step();
  }
}

export function randomScope(random: Random, type: string): Scope {
  const namespace = random.pick(['', ...NAMESPACES] as const);
  const [kind, app, name, value] = [
    random.fraction(),
    random.pick(APPS),
    random.pick(NAMES),
    random.pick(APPS),
  ];
  if (kind < 0.3) return { namespace };
  if (kind < 0.45) return { namespace, app: { test: 'equals', values: [app] } };
  if (kind < 0.55) return { namespace, app: { test: 'differs', values: [app] } };
  if (kind < 0.65) return { namespace, app: { test: 'in', values: [app, value] } };
  if (kind < 0.7) return { namespace, app: { test: 'exists', values: [] } };
  if (kind < 0.75) return { namespace, app: { test: 'absent', values: [] } };
  if (kind < 0.85) return { namespace, name, app: { test: 'equals', values: [app] } };
  if (type === 'Secret') return { namespace, secretType: secretTypeOf(name) };
  return { namespace, name };
}

/** The type of a secret cannot change: it goes by the name. */
export function secretTypeOf(name: string): string {
  return name < 'd' ? 'Opaque' : 'example.com/other';
}
