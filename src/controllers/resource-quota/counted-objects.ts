/**
 * Counts the use of quotas by the objects of a type, namespace by namespace. Of most types only
 * their number is kept; of the others the use of each object.
 */
import type { Port } from '../../actors/port.ts';
import { addQuantities } from '../../codec/leaves/quantity.ts';
import { growthOf, sumOf, type Amounts } from '../../quota/amounts.ts';
import { countedType, type CountedType } from '../../quota/counted-type.ts';
import type { ScopeFacts } from '../../quota/scopes.ts';
import { ShardObjects, type WatchEvent } from '../../replicas/shard-objects.ts';
import type { ApiObject } from '../../resources/kind.ts';

const METADATA = { encoding: 'json', as: 'PartialObjectMetadata', metaVersion: 'v1' } as const;
const NOTHING: Amounts = Object.freeze({});

export interface CountedObjectsOptions {
  /** The name of the type's shard. */
  readonly resource: string;
  /** To that shard. */
  readonly port: Port;
  readonly nowMs: () => number;
  /** Less is used in a namespace than before. */
  readonly onLess: (namespace: string) => void;
}

interface Counted {
  readonly usage: Amounts;
  readonly scopes: ScopeFacts | undefined;
  /** From when on it uses no more than any object of its type does. */
  readonly endMs: number | undefined;
}

export interface Found {
  readonly amounts: Amounts;
  /** When less will be used although nothing is written; undefined while nobody knows. */
  readonly endMs: number | undefined;
}

export class CountedObjects {
  readonly type: CountedType;
  readonly #options: CountedObjectsOptions;
  readonly #client: ShardObjects;
  /** The number of objects by namespace, for types whose objects all use the same. */
  readonly #numbers = new Map<string, number>();
  /** The objects of other types, by namespace and name. */
  readonly #objects = new Map<string, Map<string, Counted>>();
  #isFollowed = false;
  #done: Promise<void> = Promise.resolve();

  constructor(options: CountedObjectsOptions) {
    const type = countedType(options.resource);
    if (type === undefined) throw new Error(`${options.resource} does not count`);
    this.type = type;
    this.#options = options;
    this.#client = new ShardObjects(options.resource, options.port);
  }

  /** Resolves when everything is known that was answered by now. */
  async whenKnown(): Promise<void> {
    if (!this.#isFollowed) {
      this.#isFollowed = true;
      const form = this.type.each === undefined ? {} : { form: METADATA };
      this.#done = this.#done.then(() => this.#client.follow((event) => this.#take(event), form));
    }
    await this.#done;
    await this.#client.whenTold();
  }

  /** Nobody asks any more. */
  forget(): void {
    if (!this.#isFollowed) return;
    this.#isFollowed = false;
    this.#done = this.#done
      .then(() => this.#client.unfollow())
      .then(() => {
        this.#numbers.clear();
        this.#objects.clear();
      });
    // Where the type is gone, who asks next is told.
    this.#done.catch(() => undefined);
  }

  /** The use in a namespace, by the objects that are in those scopes. */
  found(namespace: string, isInScope: (scopes: ScopeFacts | undefined) => boolean): Found {
    const { each } = this.type;
    if (each === undefined) return this.#sumOf(namespace, isInScope);
    const number = isInScope(undefined) ? (this.#numbers.get(namespace) ?? 0) : 0;
    return { amounts: manyOf(each, number), endMs: undefined };
  }

  close(): void {
    this.#client.close();
  }

  #sumOf(namespace: string, isInScope: (scopes: ScopeFacts | undefined) => boolean): Found {
    const nowMs = this.#options.nowMs();
    let amounts = NOTHING;
    let nextMs = Infinity;
    for (const { usage, scopes, endMs = Infinity } of this.#objects.get(namespace)?.values() ??
      []) {
      if (!isInScope(scopes)) continue;
      const hasEnded = endMs < nowMs;
      amounts = sumOf(amounts, hasEnded ? (this.type.ending?.usage ?? usage) : usage);
      if (!hasEnded) nextMs = Math.min(nextMs, endMs);
    }
    return { amounts, endMs: nextMs === Infinity ? undefined : nextMs };
  }

  #take({ type, object }: WatchEvent): void {
    const { namespace = '', name = '' } = object.metadata;
    if (type === 'BOOKMARK') return;
    const isLess =
      this.type.each === undefined
        ? this.#keep(namespace, name, type === 'DELETED' ? undefined : this.#counted(object))
        : this.#count(namespace, type);
    if (isLess) this.#options.onLess(namespace);
  }

  #count(namespace: string, type: 'ADDED' | 'MODIFIED' | 'DELETED'): boolean {
    if (type === 'MODIFIED') return false;
    const number = (this.#numbers.get(namespace) ?? 0) + (type === 'ADDED' ? 1 : -1);
    if (number > 0) this.#numbers.set(namespace, number);
    else this.#numbers.delete(namespace);
    return type === 'DELETED';
  }

  #counted(object: ApiObject): Counted {
    const { type } = this;
    return {
      usage: type.usage(object),
      scopes: type.scopes?.(object),
      endMs: type.ending?.endMs(object),
    };
  }

  /** Whether less is used by it, or will be sooner. */
  #keep(namespace: string, name: string, now: Counted | undefined): boolean {
    let objects = this.#objects.get(namespace);
    if (objects === undefined) this.#objects.set(namespace, (objects = new Map()));
    const before = objects.get(name);
    if (now !== undefined) objects.set(name, now);
    else if (objects.size > 1) objects.delete(name);
    else this.#objects.delete(namespace);
    if (before === undefined) return false;
    if (now === undefined || before.endMs !== now.endMs) return true;
    return Object.keys(growthOf(before.usage, now.usage)).length > 0;
  }
}

/** The use of so many objects that use one of each. */
export function manyOf(each: Amounts = NOTHING, number: number): Amounts {
  const count = addQuantities(String(number), '0');
  return Object.fromEntries(Object.keys(each).map((name) => [name, count]));
}
