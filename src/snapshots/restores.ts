/**
 * Writes the state of an old version forward, of those types that were written since. Definitions
 * of custom types come first, since their types have to be served before objects can come back,
 * then namespaces, then all others.
 */
import type { RestoredCounts } from '../protocol/snapshot-protocol.ts';
import { UNKNOWN, type TypeCells } from '../replicas/restore-cells.ts';
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
  readonly cells: TypeCells;
}

interface RestoreRequest {
  readonly version: number;
  readonly dryRun: boolean;
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
  /** By the version that was restored and the type: its cell when all was as it was then. */
  readonly #same = new Map<number, Map<string, number>>();

  constructor(options: RestoresOptions) {
    this.#options = options;
  }

  /** What is written of each type, or would be. Rejects with StatusError. */
  async restore(version: number, dryRun: boolean): Promise<RestoredTypes> {
    if (this.#written(version).length === 0) return {};
    const { cells } = this.#options.cells;
    if (!dryRun) cells.begin();
    try {
      return await this.#restoreWritten({ version, dryRun });
    } finally {
      if (!dryRun) cells.end();
    }
  }

  /** A snapshot is gone. */
  forget(version: number): void {
    this.#same.delete(version);
  }

  /** The types that may not be as they were at a version: they have been written since. */
  #written(version: number): string[] {
    const { shards, cells } = this.#options;
    const same = this.#same.get(version);
    return [...shards.keys()].filter((type) => {
      const written = cells.written(type);
      return written > version && written !== same?.get(type);
    });
  }

  async #restoreWritten(request: RestoreRequest): Promise<RestoredTypes> {
    const counts = new Map<string, RestoredCounts>();
    const asked = new Set<string>();
    const restore = async (types: Iterable<string>): Promise<void> => {
      const restored = await this.#restore(types, request);
      for (const { type } of restored) asked.add(type);
      note(counts, restored);
    };
    const written = this.#written(request.version);
    if (written.includes(DEFINITIONS)) {
      const defined = await this.#definedSince(request.version);
      await this.#restoreDefinitions(request, defined, restore);
      if (request.dryRun) this.#countGone(defined.gone, request.version, counts);
    }
    if (written.includes(NAMESPACES)) await restore([NAMESPACES]);
    const first = [DEFINITIONS, NAMESPACES];
    // A namespace that was ending took objects along until it was back.
    const others = first.some((type) => counts.has(type))
      ? this.#options.shards.keys()
      : this.#written(request.version);
    // A dry run has left those that were asked as they were.
    const done = request.dryRun ? asked : new Set(first);
    await restore([...others].filter((type) => !first.includes(type) && !done.has(type)));
    return Object.fromEntries(counts);
  }

  async #restore(
    types: Iterable<string>,
    request: RestoreRequest,
  ): Promise<readonly Answered<'restore'>[]> {
    const { shards, cells } = this.#options;
    const asked = only(shards, types);
    const before = new Map([...asked.keys()].map((type) => [type, cells.written(type)]));
    const restored = await callShards(asked, 'restore', request);
    const same = this.#same.get(request.version) ?? new Map<string, number>();
    this.#same.set(request.version, same);
    for (const { type, reply } of restored) {
      const written = before.get(type) ?? UNKNOWN;
      if (isNothing(reply) && written !== UNKNOWN) same.set(type, written);
    }
    return restored;
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
    if (isNothing(reply)) continue;
    const before = counts.get(type) ?? NOTHING;
    counts.set(type, {
      created: before.created + reply.created,
      updated: before.updated + reply.updated,
      deleted: before.deleted + reply.deleted,
    });
  }
}

function isNothing({ created, updated, deleted }: RestoredCounts): boolean {
  return created + updated + deleted === 0;
}

function uidOf(definition: unknown): string | undefined {
  const { metadata } = (definition ?? {}) as { metadata?: { uid?: string } };
  return metadata?.uid;
}
