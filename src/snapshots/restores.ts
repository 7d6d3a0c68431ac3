/**
 * Writes the state of an old version forward. One round of calls tells which types were written
 * since; only those are asked again. Definitions of custom types come first, since their types have
 * to be served before objects can come back, then namespaces, then all others.
 */
import type { RestoredCounts } from '../protocol/snapshot-protocol.ts';
import { callShards, only, type Answered, type Shards } from './shard-calls.ts';

export const DEFINITIONS = 'customresourcedefinitions.apiextensions.cluster.io';
const NAMESPACES = 'namespaces';

/** A definition of a custom type, as it is in JSON. */
export type DefinitionText = object;

/** The custom types that are served. */
export interface ServedTypes {
  /** The name of the shard of a type. */
  shardOf(definition: DefinitionText): string;
  /** Resolves when the type is served as the definition says, or is none that is served. */
  whenServed(definition: DefinitionText): Promise<void>;
  /** Resolves when nothing serves the type of that very definition any more. */
  whenGone(definition: DefinitionText): Promise<void>;
  /** Who watches has been told of all objects when it resolves: the watches are about to end. */
  settle(definition: DefinitionText): Promise<void>;
  /** How many objects there were at a version of a type that is served no more. */
  objectsAt(definition: DefinitionText, version: number): number;
  /** Gives up logs that were kept for snapshots which are gone. */
  dropUnneeded(): Promise<void>;
}

export interface RestoresOptions {
  readonly shards: Shards;
  readonly types: ServedTypes;
  /** The newest version that was taken for a write of any type, committed or not. */
  readonly lastVersion: () => number;
}

/** Definitions that are not as they were. */
interface Defined {
  /** Those that came since. */
  readonly came: readonly DefinitionText[];
  /** Those that went or were changed, as they were. */
  readonly back: readonly DefinitionText[];
  /** Those of `back` that went. */
  readonly gone: readonly DefinitionText[];
}

const UNCHANGED: Defined = { came: [], back: [], gone: [] };

export type RestoredTypes = Readonly<Record<string, RestoredCounts>>;

export class Restores {
  readonly #options: RestoresOptions;
  /** By the version that was restored: up to which version all is as it was then. */
  readonly #same = new Map<number, number>();
  /** That of the last one which has ended. */
  #number = 0;

  constructor(options: RestoresOptions) {
    this.#options = options;
  }

  /** What is written of each type, or would be. Rejects with StatusError. */
  async restore(version: number, dryRun: boolean): Promise<RestoredTypes> {
    const last = this.#options.lastVersion();
    if (last <= (this.#same.get(version) ?? version)) return {};
    const { shards } = this.#options;
    try {
      const changed = await callShards(shards, 'beginRestore', { version, dryRun });
      const types = changed.filter(({ reply }) => reply).map(({ type }) => type);
      if (types.length > 0) return await this.#restoreChanged(types, { version, dryRun });
      this.#same.set(version, last);
      return {};
    } finally {
      if (!dryRun) await callShards(shards, 'endRestore', { number: ++this.#number });
    }
  }

  /** A snapshot is gone. */
  forget(version: number): void {
    this.#same.delete(version);
  }

  async #restoreChanged(
    changed: readonly string[],
    request: { readonly version: number; readonly dryRun: boolean },
  ): Promise<RestoredTypes> {
    const { shards } = this.#options;
    const counts = new Map<string, RestoredCounts>();
    const written = new Set<string>();
    const restore = async (types: Iterable<string>): Promise<void> => {
      const asked = only(shards, types);
      for (const type of asked.keys()) written.add(type);
      if (asked.size > 0) note(counts, await callShards(asked, 'restore', request));
    };
    const first = [DEFINITIONS, NAMESPACES];
    const others = (): string[] => {
      // A dry run has left those that were asked as they were.
      const done = request.dryRun ? written : new Set(first);
      return [...shards.keys()].filter((type) => !first.includes(type) && !done.has(type));
    };
    if (changed.includes(DEFINITIONS)) {
      const defined = await this.#definedSince(request.version);
      await this.#restoreDefinitions(request, defined, restore);
      if (request.dryRun) this.#countGone(defined.gone, request.version, counts);
    }
    if (changed.includes(NAMESPACES)) await restore([NAMESPACES]);
    // A namespace that was ending took objects along until it was back.
    await restore(changed.some((type) => first.includes(type)) ? others() : changed);
    return Object.fromEntries(counts);
  }

  async #definedSince(version: number): Promise<Defined> {
    const definitions = only(this.#options.shards, [DEFINITIONS]);
    const [answer] = await callShards(definitions, 'diff', { from: version });
    if (answer === undefined) return UNCHANGED;
    const since = answer.reply.map(({ before, after }) => ({
      before: before as DefinitionText | null,
      after: after as DefinitionText | null,
      isSame: uidOf(before) === uidOf(after),
    }));
    return {
      came: since.flatMap(({ after, isSame }) => (after === null || isSame ? [] : [after])),
      back: since.flatMap(({ before }) => (before === null ? [] : [before])),
      gone: since.flatMap(({ before, isSame }) => (before === null || isSame ? [] : [before])),
    };
  }

  /** What came goes object by object, and then its definition. */
  async #restoreDefinitions(
    { dryRun }: { readonly dryRun: boolean },
    { came, back, gone }: Defined,
    restore: (types: Iterable<string>) => Promise<void>,
  ): Promise<void> {
    const { types } = this.#options;
    await restore(came.map((definition) => types.shardOf(definition)));
    if (!dryRun) await Promise.all(came.map((definition) => types.settle(definition)));
    // One that went a moment ago may still be served: it is not to be taken for one that is back.
    await Promise.all(gone.map((definition) => types.whenGone(definition)));
    await restore([DEFINITIONS]);
    if (dryRun) return;
    await Promise.all(came.map((definition) => types.whenGone(definition)));
    await Promise.all(back.map((definition) => types.whenServed(definition)));
  }

  /** Nobody serves these types: what would come back is counted in their logs. */
  #countGone(
    gone: readonly DefinitionText[],
    version: number,
    counts: Map<string, RestoredCounts>,
  ): void {
    const { types } = this.#options;
    for (const definition of gone) {
      const created = types.objectsAt(definition, version);
      note(counts, [{ type: types.shardOf(definition), reply: { ...NOTHING, created } }]);
    }
  }
}

const NOTHING: RestoredCounts = { created: 0, updated: 0, deleted: 0 };

/** A type that goes and comes back is counted twice. */
function note(counts: Map<string, RestoredCounts>, restored: readonly Answered<'restore'>[]): void {
  for (const { type, reply } of restored) {
    if (reply.created + reply.updated + reply.deleted === 0) continue;
    const before = counts.get(type) ?? NOTHING;
    counts.set(type, {
      created: before.created + reply.created,
      updated: before.updated + reply.updated,
      deleted: before.deleted + reply.deleted,
    });
  }
}

function uidOf(definition: unknown): string | undefined {
  const { metadata } = (definition ?? {}) as { metadata?: { uid?: string } };
  return metadata?.uid;
}
