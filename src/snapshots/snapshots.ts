/** Named moments of all types, which are kept until they are deleted (src/laboratory/README.md). */
import type { SnapshotRequest } from '../protocol/snapshot-protocol.ts';
import { serverNowMs } from '../base/time/server-clock.ts';
import { badRequest, StatusError } from '../semantics/errors/status.ts';
import { SNAPSHOTS_SETTING, type ForkRequest, type Forks } from './forks.ts';
import type { Settings } from '../storage/store.ts';
import { TypeCells, type RestoreCells } from '../replicas/restore-cells.ts';
import { DEFINITIONS, Restores, type ServedTypes } from './restores.ts';
import { callShards, only, type Shards } from './shard-calls.ts';

const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
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
  readonly shards: Shards;
  readonly types: ServedTypes;
  readonly restores: RestoreCells;
  readonly forks: Forks;
  /** A version up to which all types have all changes, and how many objects there are. */
  readonly state: () => Promise<{ readonly version: number; readonly objects: number }>;
}

export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #all = new Map<string, Snapshot>();
  /** Versions of snapshots that are being made. */
  readonly #coming = new Set<number>();
  /** By the versions of snapshots, the uids of the definitions that there were. */
  readonly #defined = new Map<number, Promise<ReadonlySet<string>>>();
  readonly #restores: Restores;
  readonly #cells: TypeCells;
  /** One is made, restored or deleted after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: SnapshotsOptions) {
    this.#options = options;
    this.#cells = new TypeCells(options.restores);
    this.#restores = new Restores({ ...options, cells: this.#cells });
    const stored = options.isOn ? options.settings.get(SNAPSHOTS_SETTING) : undefined;
    const snapshots = stored === undefined ? [] : (JSON.parse(stored) as Snapshot[]);
    for (const snapshot of snapshots) this.#all.set(snapshot.name, snapshot);
  }

  /** Whether there may be any. */
  get isOn(): boolean {
    return this.#options.isOn;
  }

  /** The cell of a type whose shard is to start; undefined where it needs none. */
  cellOf(type: string): number | undefined {
    return this.isOn ? this.#cells.take(type) : undefined;
  }

  /** The shard of a type has ended. */
  typeGone(type: string): void {
    this.#cells.giveBack(type);
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
        return this.#fork(request.name, request);
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

  async #fork(name: string, request: ForkRequest): Promise<object> {
    const { version } = this.#named(name);
    return this.#options.forks.start(name, version, request);
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
      await this.#options.types.dropUnneeded();
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
    const held = await callShards(this.#options.shards, 'hold', { from });
    return Math.max(0, ...held.map(({ reply }) => reply.horizon));
  }

  async #store(): Promise<void> {
    await this.#options.settings.put(SNAPSHOTS_SETTING, JSON.stringify([...this.#all.values()]));
    await this.#hold();
  }

  async #delete(name: string): Promise<object> {
    const snapshot = this.#named(name);
    this.#all.delete(name);
    await this.#store();
    this.#defined.delete(snapshot.version);
    this.#restores.forget(snapshot.version);
    await this.#options.types.dropUnneeded();
    await this.#options.forks.forget(name);
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
    const all = await callShards(this.#options.shards, 'held', undefined);
    return all.reduce((sum, { reply }) => sum + reply.versions, 0);
  }

  #named(name: string): Snapshot {
    const snapshot = this.#all.get(name);
    if (snapshot !== undefined) return snapshot;
    throw new StatusError(404, 'NotFound', `there is no snapshot "${name}"`);
  }

  async #restore(name: string, dryRun: boolean): Promise<object> {
    const { version } = this.#named(name);
    const types = await this.#restores.restore(version, dryRun);
    return { name, version, dryRun, types };
  }

  /**
   * Whether a snapshot has objects in the log of a custom type that is gone: that of the definition
   * with this uid.
   */
  async needsLog(uid: string): Promise<boolean> {
    for (const { version } of this.#all.values()) {
      if ((await this.#definedAt(version)).has(uid)) return true;
    }
    // One that is being made may have it.
    return this.#coming.size > 0;
  }

  /** The uids of the definitions that there were at the version of a snapshot. */
  #definedAt(version: number): Promise<ReadonlySet<string>> {
    const known = this.#defined.get(version);
    if (known !== undefined) return known;
    const definitions = only(this.#options.shards, [DEFINITIONS]);
    const asked = callShards(definitions, 'uids', { version }).then(
      (answers) => new Set(answers.flatMap(({ reply }) => reply)),
    );
    this.#defined.set(version, asked);
    asked.catch(() => this.#defined.delete(version));
    return asked;
  }

  async #diff(from: string, to: string): Promise<object> {
    const fromVersion = this.#version('from', from);
    const request = {
      from: fromVersion,
      ...(to !== '' && { to: this.#version('to', to) }),
    };
    const all = await callShards(this.#options.shards, 'diff', request);
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
}
