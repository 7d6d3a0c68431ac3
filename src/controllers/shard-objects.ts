/** A controller as a client of a shard: it reads, writes and watches objects as outside ones do. */
import type { MessagePort } from 'node:worker_threads';
import { Link } from '../actors/link.ts';
import type { ApiObject } from '../resources/kind.ts';
import { isRefusal } from '../semantics/status.ts';
import { SERVER_MANAGER, SHARD_EVENTS, SHARD_VERBS } from '../shard/shard-protocol.ts';
import type { ShardCalls, ShardEvents } from '../shard/shard-protocol.ts';

const WRITE = { subresource: '', format: 'json', dryRun: false, manager: SERVER_MANAGER } as const;
const WATCH_ID = 1;

export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

export class ShardObjects {
  readonly #link: Link<ShardCalls, ShardEvents>;
  #onChange: () => void = () => undefined;

  constructor(peer: string, port: MessagePort) {
    this.#link = new Link<ShardCalls, ShardEvents>({
      peer,
      port,
      sends: SHARD_VERBS,
      receives: SHARD_EVENTS,
      handlers: { started: () => undefined, published: () => this.#onChange() },
    });
  }

  /** Undefined when there is none. */
  async get(at: ObjectName): Promise<ApiObject | undefined> {
    try {
      const document = await this.#ask('get', {
        ...at,
        subresource: '',
        resourceVersion: '',
      });
      return JSON.parse(Buffer.from(document).toString()) as ApiObject;
    } catch (error) {
      if (isRefusal(error, 404)) return undefined;
      throw error;
    }
  }

  async create({ namespace }: ObjectName, object: object): Promise<void> {
    const body = Buffer.from(JSON.stringify(object));
    await this.#ask('create', { ...WRITE, namespace, name: '' }, body);
  }

  /** Rejects with StatusError 409 when the object is not the newest. */
  async update(at: ObjectName, object: object): Promise<void> {
    const body = Buffer.from(JSON.stringify(object));
    await this.#ask('update', { ...WRITE, ...at }, body);
  }

  async delete(at: ObjectName): Promise<void> {
    await this.#ask('delete', { ...at, format: 'json', dryRun: false });
  }

  /** Calls back whenever the object is written or removed, from when it resolves on. */
  async watch({ namespace, name }: ObjectName, onChange: () => void): Promise<void> {
    let page = await this.#link.call('watch', {
      watchId: WATCH_ID,
      namespace,
      labelSelector: '',
      fieldSelector: `metadata.name=${name}`,
      resourceVersion: '',
      initialEvents: '',
    });
    while (page.channel === undefined) {
      page = await this.#link.call('watchMore', { watchId: WATCH_ID });
    }
    this.#onChange = onChange;
  }

  close(): void {
    this.#link.close();
  }

  #ask<V extends keyof ShardCalls>(
    verb: V,
    header: ShardCalls[V]['request'],
    body?: Uint8Array,
  ): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#link.ask(verb, header, body, (error, _reply, document) => {
        if (error === undefined) resolve(document);
        else reject(error);
      });
    });
  }
}
