/** Named moments of all types, which are kept until they are deleted (src/laboratory/README.md). */
import type {
  RestoredCounts,
  SnapshotCalls,
  SnapshotRequest,
} from '../protocol/snapshot-protocol.ts';
import type { ShardCalls, ShardEvents } from '../protocol/shard-protocol.ts';
import { LinkClosedError, type Link } from '../actors/link.ts';
import { serverNowMs } from '../base/time/server-clock.ts';
import { badRequest, StatusError } from '../semantics/errors/status.ts';
import type { Forks } from './forks.ts';
import type { Settings } from '../storage/store.ts';

const SETTING = 'snapshots';
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** Types that others need before their own objects can be used, in this order. */
const FIRST = ['customresourcedefinitions.apiextensions.cluster.io', 'namespaces'] as const;

type ShardLink = Link<ShardCalls, ShardEvents>;

interface Snapshot {
  readonly name: string;
  readonly version: number;
  /** RFC 3339. */
  readonly time: string;
  readonly objects: number;
}

export interface SnapshotsOptions {
  readonly settings: Settings;
  readonly isOn: boolean;
  readonly shards: ReadonlyMap<string, ShardLink>;
  readonly forks: Forks;
  /** A version up to which all types have all changes, and how many objects there are. */
  readonly state: () => Promise<{ readonly version: number; readonly objects: number }>;
}

export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #all = new Map<string, Snapshot>();
  /** Versions of snapshots that are being made. */
  readonly #coming = new Set<number>();
  /** One is made, restored or deleted after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: SnapshotsOptions) {
    this.#options = options;
    const stored = options.isOn ? options.settings.get(SETTING) : undefined;
    const snapshots = stored === undefined ? [] : (JSON.parse(stored) as Snapshot[]);
    for (const snapshot of snapshots) this.#all.set(snapshot.name, snapshot);
  }

  /** All that was so then or has been since is kept; 0 where there are none. */
  get heldFrom(): number {
    const versions = [...this.#all.values()].map(({ version }) => version);
    const all = [...versions, ...this.#coming];
    return all.length === 0 ? 0 : Math.min(...all);
  }

  /** Rejects with StatusError. */
  answer(request: SnapshotRequest): Promise<object> {
    switch (request.ask) {
      case 'list':
        return this.#list();
      case 'get':
        return this.#get(request.name);
      case 'forks':
        return Promise.resolve(this.#options.forks.list());
      case 'fork':
        return this.#fork(request.name, request.port);
      case 'endFork':
        return this.#options.forks.end(request.name);
      case 'diff':
        return this.#diff(request.from, request.to);
      case 'create':
        return this.#inTurn(() => this.#create(request.name));
      case 'delete':
        return this.#inTurn(() => this.#delete(request.name));
      case 'restore':
        return this.#inTurn(() => this.#restore(request.name, request.dryRun));
    }
  }

  async #fork(name: string, port: number): Promise<object> {
    const { version } = this.#named(name);
    return this.#options.forks.start(name, version, port);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #create(name: string): Promise<object> {
    if (!NAME.test(name)) throw badRequest(`name: "${name}" is no DNS label`);
    if (this.#all.has(name)) {
      throw new StatusError(409, 'AlreadyExists', `there is a snapshot "${name}" already`);
    }
    const { version, objects } = await this.#keptState();
    const snapshot = { name, version, time: new Date(serverNowMs()).toISOString(), objects };
    this.#all.set(name, snapshot);
    try {
      await this.#store();
    } catch (error) {
      this.#all.delete(name);
      throw error;
    } finally {
      this.#coming.clear();
    }
    return snapshot;
  }

  /** A state from which on every type keeps all that is. */
  async #keptState(): Promise<{ readonly version: number; readonly objects: number }> {
    for (;;) {
      // Types that start meanwhile keep it too.
      this.#coming.add((await this.#options.state()).version);
      const horizon = await this.#hold();
      const state = await this.#options.state();
      if (state.version >= horizon) {
        this.#coming.clear();
        this.#coming.add(state.version);
        return state;
      }
    }
  }

  /** Gives the version from which on all types have all that was. */
  async #hold(): Promise<number> {
    const from = this.heldFrom;
    const held = await this.#callAll('hold', { from });
    return Math.max(0, ...held.map(({ reply }) => reply.horizon));
  }

  async #store(): Promise<void> {
    await this.#options.settings.put(SETTING, JSON.stringify([...this.#all.values()]));
    await this.#hold();
  }

  async #delete(name: string): Promise<object> {
    const snapshot = this.#named(name);
    this.#all.delete(name);
    await this.#store();
    return snapshot;
  }

  async #list(): Promise<object> {
    const held = await this.#held();
    return { items: [...this.#all.values()].map((snapshot) => ({ ...snapshot, held })) };
  }

  async #get(name: string): Promise<object> {
    return { ...this.#named(name), held: await this.#held() };
  }

  /** Versions that are kept for the sake of snapshots. */
  async #held(): Promise<number> {
    const all = await this.#callAll('held', undefined);
    return all.reduce((sum, { reply }) => sum + reply.versions, 0);
  }

  #named(name: string): Snapshot {
    const snapshot = this.#all.get(name);
    if (snapshot !== undefined) return snapshot;
    throw new StatusError(404, 'NotFound', `there is no snapshot "${name}"`);
  }

  async #restore(name: string, dryRun: boolean): Promise<object> {
    const { version } = this.#named(name);
    const request = { version, dryRun };
    const types: Record<string, RestoredCounts> = {};
    const note = (restored: readonly Answered<'restore'>[]): void => {
      for (const { type, reply } of restored) {
        if (reply.created + reply.updated + reply.deleted > 0) types[type] = reply;
      }
    };
    try {
      const { shards } = this.#options;
      for (const type of FIRST) {
        note(await this.#callAll('restore', request, new Map(only(shards, type))));
      }
      const rest = [...shards].filter(([type]) => !(FIRST as readonly string[]).includes(type));
      note(await this.#callAll('restore', request, new Map(rest)));
    } finally {
      await this.#callAll('restored', undefined);
    }
    return { name, version, dryRun, types };
  }

  async #diff(from: string, to: string): Promise<object> {
    const fromVersion = this.#version('from', from);
    const request = {
      from: fromVersion,
      ...(to !== '' && { to: this.#version('to', to) }),
    };
    const all = await this.#callAll('diff', request);
    const { jsonPatch } = await import('../laboratory/json-patch.ts');
    const items = all.flatMap(({ type, reply }) =>
      reply.map((difference) => ({
        resource: type,
        ...difference,
        patch: jsonPatch(difference.before, difference.after),
      })),
    );
    return { items };
  }

  #version(member: string, given: string): number {
    const snapshot = this.#all.get(given);
    if (snapshot !== undefined) return snapshot.version;
    if (/^[0-9]{1,15}$/.test(given)) return Number(given);
    throw badRequest(`${member}: "${given}" is neither a snapshot nor a version`);
  }

  /** Types that end meanwhile have nothing to say. */
  async #callAll<V extends keyof SnapshotCalls>(
    verb: V,
    request: SnapshotCalls[V]['request'],
    shards = this.#options.shards,
  ): Promise<readonly Answered<V>[]> {
    const answers = await Promise.all(
      [...shards].map(async ([type, shard]) => {
        try {
          const reply = await shard.call('snapshot', { verb, request });
          return [{ type, reply: reply as SnapshotCalls[V]['reply'] }];
        } catch (error) {
          if (error instanceof LinkClosedError) return [];
          throw error;
        }
      }),
    );
    return answers.flat();
  }
}

interface Answered<V extends keyof SnapshotCalls> {
  readonly type: string;
  readonly reply: SnapshotCalls[V]['reply'];
}

function only<T>(all: ReadonlyMap<string, T>, key: string): [string, T][] {
  const value = all.get(key);
  return value === undefined ? [] : [[key, value]];
}
