/** Objects and their owners on a running server, named as `configmaps/root`. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { PATIENCE_MS } from './patience.ts';
import { startServer } from './server.ts';
import type { Answer, Server, ServerOptions } from './server.ts';

const KINDS = {
  configmaps: { kind: 'ConfigMap', apiVersion: 'v1', root: '/api/v1' },
  secrets: { kind: 'Secret', apiVersion: 'v1', root: '/api/v1' },
  leases: {
    kind: 'Lease',
    apiVersion: 'coordination.cluster.io/v1',
    root: '/apis/coordination.cluster.io/v1',
  },
} as const;
type Plural = keyof typeof KINDS;

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion: boolean;
}

// oxlint-disable-next-line no-explicit-any -- tests look into documents of every kind
type Json = any;

/** A namespace with what a case needs to plant objects and see what remains of them. */
export interface Bed {
  readonly server: Server;
  /** The collection of a resource type here. */
  path(plural: string): string;
  plant(name: string, owners?: readonly OwnerReference[], metadata?: object): Promise<Json>;
  /** The reference with which an object names this owner. */
  owns(owner: Json, blockOwnerDeletion?: boolean): OwnerReference;
  /** Gives an object other owners. */
  own(name: string, owners: readonly OwnerReference[]): Promise<void>;
  /** Takes its finalizers from an object. */
  release(name: string): Promise<void>;
  remove(name: string, options?: object): Promise<Answer>;
  /** The metadata of an object. */
  look(name: string): Promise<Json>;
  until(condition: () => Promise<boolean>): Promise<void>;
  /**
   * Gives the objects that are left once they are the expected ones and nothing changes, or at the
   * deadline.
   */
  remains(expected: readonly string[]): Promise<string[]>;
}

export class Garden {
  readonly server: Server;
  readonly namespaces = '/api/v1/namespaces';

  constructor(server: Server) {
    this.server = server;
  }

  static async start(test: Test, options: ServerOptions = {}): Promise<Garden> {
    return new Garden(await startServer({ test, ...options }));
  }

  async bed(namespace: string): Promise<Bed> {
    const { server } = this;
    const created = await server.post(this.namespaces, { metadata: { name: namespace } });
    if (created.status !== 201) throw new Error(created.text);
    const path = (plural: string): string =>
      `${KINDS[plural as Plural].root}/namespaces/${namespace}/${plural}`;
    const pathOf = (name: string): string => {
      const [plural = '', object = ''] = name.split('/');
      return `${path(plural)}/${object}`;
    };
    const look = async (name: string): Promise<Json> =>
      (await server.get(pathOf(name))).json.metadata ?? {};
    const change = async (name: string, members: object): Promise<void> => {
      const object = (await server.get(pathOf(name))).json;
      const metadata = { ...object.metadata, ...members };
      const answer = await server.put(pathOf(name), { ...object, metadata });
      if (answer.status !== 200) throw new Error(answer.text);
    };
    return {
      server,
      path,
      look,
      until,
      owns: ownerReference,
      plant: async (name, ownerReferences = [], members = {}) => {
        const [plural = '', object = ''] = name.split('/');
        const metadata = { name: object, ownerReferences, ...members };
        const answer = await server.post(path(plural), { metadata });
        if (answer.status !== 201) throw new Error(answer.text);
        return answer.json;
      },
      own: async (name, ownerReferences) => change(name, { ownerReferences }),
      release: async (name) => change(name, { finalizers: [] }),
      remove: async (name, options) => server.delete(pathOf(name), options),
      remains: async (expected) => this.#remains(path, expected),
    };
  }

  async #remains(path: (plural: string) => string, expected: readonly string[]): Promise<string[]> {
    const wanted = expected.join();
    await until(async () => {
      // Thousands are counted, and not read, as long as they go.
      if ((await this.#count(path)) !== expected.length) return false;
      return (await this.#all(path)).join() === wanted;
    }).catch(() => undefined);
    const found = await this.#all(path);
    // The objects that stay must still be there when the collector has nothing more to do.
    for (let round = 0; round < QUIET_ROUNDS; round++) {
      await sleep(POLL_MS);
      const again = await this.#all(path);
      if (again.join() !== found.join()) return again;
    }
    return found;
  }

  async #count(path: (plural: string) => string): Promise<number> {
    const counts = await Promise.all(
      Object.keys(KINDS).map(async (plural) => {
        const { json } = await this.server.get(`${path(plural)}?limit=1`);
        return json.items.length + (json.metadata.remainingItemCount ?? 0);
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #all(path: (plural: string) => string): Promise<string[]> {
    const lists = await Promise.all(
      Object.keys(KINDS).map(async (plural) => {
        const { json } = await this.server.get(path(plural));
        return json.items.map((item: Json) => `${plural}/${item.metadata.name}`) as string[];
      }),
    );
    return lists.flat().sort();
  }
}

const POLL_MS = 10;
const QUIET_ROUNDS = 5;

function ownerReference(owner: Json, blockOwnerDeletion = false): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  const { name, uid } = metadata;
  return { apiVersion, kind, name, uid, blockOwnerDeletion };
}

/** Polls until the condition holds; rejects when it never does. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    if (await condition()) return;
    await sleep(POLL_MS);
  }
  throw new Error(`it did not come about within ${PATIENCE_MS} ms`);
}
