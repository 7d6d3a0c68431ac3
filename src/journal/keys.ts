/** Where things stand in etcd (README.md#what-stands-in-etcd). */
import { prefixEnd } from '../etcd/keys.ts';
import type { Compare, EtcdClient, Keys } from '../etcd/etcd.ts';

export class JournalKeys {
  readonly #prefix: string;

  /** `prefix` without a slash at its end. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The server that owns all types. */
  get owner(): Buffer {
    return this.#key('owner');
  }

  /** Holds as long as the server owns all types that became their owner in the revision `fence`. */
  ownedSince(fence: number): Compare {
    return { key: this.owner, is: '=', createRevision: fence };
  }

  /** The version up to which all changes of all types are in etcd. */
  get version(): Buffer {
    return this.#key('version');
  }

  /** The revision from which history is kept. */
  get history(): Buffer {
    return this.#key('history');
  }

  get servers(): Keys {
    return this.#below('servers/');
  }

  server(id: string): Buffer {
    return this.#key(`servers/${id}`);
  }

  get settings(): Keys {
    return this.#below('settings/');
  }

  /** Written by each server that begins to take part. */
  get joined(): Buffer {
    return this.#key('joined');
  }

  setting(name: string): Buffer {
    return this.#key(`settings/${name}`);
  }

  file(name: string): Buffer {
    return this.#key(`files/${name}`);
  }

  get files(): Keys {
    return this.#below('files/');
  }

  /** The last group of writes of each type. */
  get groups(): Keys {
    return this.#below('groups/');
  }

  group(type: string): Buffer {
    return this.#key(`groups/${type}`);
  }

  /** Names the last transaction of each type, of which there are no two alike. */
  turn(type: string): Buffer {
    return this.#key(`turns/${type}`);
  }

  /** The objects of a type. */
  objects(type: string): Keys {
    return this.#below(`objects/${type}/`);
  }

  /** `key` is `namespace/name`, or `name` of an object of the cluster. */
  object(type: string, key: string): Buffer {
    return this.#key(`objects/${type}/${key}`);
  }

  /** What stands behind the last slash of a key. */
  static nameOf(key: Uint8Array): string {
    const text = Buffer.from(key).toString();
    return text.slice(text.lastIndexOf('/') + 1);
  }

  #below(path: string): Keys {
    const key = this.#key(path);
    return { key, rangeEnd: prefixEnd(key) };
  }

  #key(path: string): Buffer {
    return Buffer.from(`${this.#prefix}/${path}`);
  }
}

/** The types that etcd has something of. Rejects with EtcdError. */
export async function typesIn(client: EtcdClient, keys: JournalKeys): Promise<readonly string[]> {
  const { kvs } = await client.range({ ...keys.groups, keysOnly: true });
  return kvs.map(({ key }) => JournalKeys.nameOf(key));
}

/** The name of a custom type's log: a definition that is made anew has another. */
export function customTypeName(name: string, uid: string): string {
  return `${name}@${uid}`;
}

/** The uid of the definition of a custom type; undefined for a built-in one. */
export function definitionUidOf(type: string): string | undefined {
  const at = type.indexOf('@');
  return at < 0 ? undefined : type.slice(at + 1);
}
