/** Follows a type for a controller, and keeps the needed part of each object. */
import type { Port } from '../actors/port.ts';
import type { ApiObject } from '../resources/kind.ts';
import { ShardObjects } from '../replicas/shard-objects.ts';
import type { Followed, ObjectName, Writer } from '../replicas/shard-objects.ts';

export interface InformerOptions<Kept> {
  /** The name of the type's shard. */
  readonly resource: string;
  /** To that shard. */
  readonly port: Port;
  readonly followed?: Followed;
  /** The user who writes; absent is the server itself. */
  readonly writer?: Writer;
  /** Gives the part of an object that is kept. */
  readonly keep: (object: ApiObject) => Kept;
  /** Called after each change; undefined stands for no object. */
  readonly onChange: (at: ObjectName, now: Kept | undefined, before: Kept | undefined) => void;
}

export class Informer<Kept> {
  /** To read and write objects of the type. */
  readonly client: ShardObjects;
  readonly #options: InformerOptions<Kept>;
  readonly #known = new Map<string, Kept>();

  constructor(options: InformerOptions<Kept>) {
    this.#options = options;
    this.client = new ShardObjects(options.resource, options.port, options.writer);
  }

  /** Resolves when all objects that there are have been told; follows the type from then on. */
  async start(): Promise<void> {
    const { followed, keep, onChange } = this.#options;
    await this.client.follow(({ type, object }) => {
      if (type === 'BOOKMARK') return;
      const { namespace = '', name = '' } = object.metadata;
      const key = keyOf({ namespace, name });
      const before = this.#known.get(key);
      const now = type === 'DELETED' ? undefined : keep(object);
      if (now === undefined) this.#known.delete(key);
      else this.#known.set(key, now);
      onChange({ namespace, name }, now, before);
    }, followed);
  }

  get(at: ObjectName): Kept | undefined {
    return this.#known.get(keyOf(at));
  }

  /** The names of all objects that there are, of a type without namespaces. */
  names(): readonly string[] {
    return Array.from(this.#known.keys(), (key) => nameOf(key).name);
  }

  values(): IterableIterator<Kept> {
    return this.#known.values();
  }

  close(): void {
    this.client.close();
  }
}

/** An object by one text, such as a work queue takes. */
export function keyOf({ namespace, name }: ObjectName): string {
  return `${namespace}/${name}`;
}

export function nameOf(key: string): ObjectName {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
