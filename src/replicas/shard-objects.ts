/** A client of a shard inside the process: it reads, writes and watches as outside ones do. */
import { Link } from '../actors/link.ts';
import type { Callback } from '../actors/link.ts';
import type { Port } from '../actors/port.ts';
import type { ApiObject } from '../resources/kind.ts';
import type { Form } from '../semantics/options/answer-form.ts';
import { isRefusal } from '../semantics/errors/status.ts';
import { SERVER_MANAGER, SHARD_EVENTS, SHARD_VERBS } from '../protocol/shard-protocol.ts';
import type { ListPage, ShardCalls, ShardEvents, WatchPage } from '../protocol/shard-protocol.ts';

const WRITE = { subresource: '', format: 'json', dryRun: false } as const;
const WATCH_ID = 1;
const AGAIN_MS = 200;
const EVERYTHING = {
  labelSelector: '',
  fieldSelector: '',
  resourceVersion: '',
  resourceVersionMatch: '',
} as const;

export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** An event of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: ApiObject;
}

/** The user and manager as whom a client writes. */
export interface Writer {
  /** Owns the fields that are written. */
  readonly manager: string;
  /** As `userText` writes it; absent is the server itself. */
  readonly user?: string;
}

/** Which objects are followed, and as what. */
export interface Followed {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Absent is the whole object. */
  readonly form?: Form;
}

/** A part of the objects of a namespace, in the order of their names. */
export interface ListedPage<T extends ApiObject = ApiObject> {
  readonly items: readonly T[];
  /** The number of objects that follow. */
  readonly remaining: number;
  /** The token with which the next page is asked for; '' after the last one. */
  readonly continueToken: string;
  /** The version of the type as of which they are. */
  readonly resourceVersion: string;
}

type ListedPart = Pick<
  ShardCalls['list']['request'],
  'namespace' | 'limit' | 'continue' | 'version'
> & { readonly labelSelector?: string };

interface ListDocument<T> {
  readonly metadata: {
    readonly remainingItemCount?: number;
    readonly continue?: string;
    readonly resourceVersion: string;
  };
  readonly items: readonly T[];
}

export interface FollowOptions extends Followed {
  /** Every change up to this version has been told. */
  readonly onVersion?: (rv: number) => void;
}

export class ShardObjects {
  readonly #link: Link<ShardCalls, ShardEvents>;
  readonly #writer: Writer;
  #onFrame: (frame: Uint8Array, rv: number) => void = () => undefined;

  constructor(peer: string, port: Port, writer: Writer = { manager: SERVER_MANAGER }) {
    this.#writer = writer;
    this.#link = new Link<ShardCalls, ShardEvents>({
      peer,
      port,
      sends: SHARD_VERBS,
      receives: SHARD_EVENTS,
      handlers: {
        started: () => undefined,
        published: ({ rv }, frame) => this.#onFrame(frame, rv),
        ended: () => undefined,
        counted: () => undefined,
      },
    });
  }

  /** In the version at that place among those of the type; undefined when there is none. */
  async get<T extends ApiObject = ApiObject>(at: ObjectName, version = 0): Promise<T | undefined> {
    try {
      const document = await this.#ask('get', {
        ...at,
        version,
        subresource: '',
        resourceVersion: '',
      });
      return JSON.parse(Buffer.from(document).toString()) as T;
    } catch (error) {
      if (isRefusal(error, 404)) return undefined;
      throw error;
    }
  }

  /** Whether the type has no object at all. */
  async isEmpty(): Promise<boolean> {
    return (await this.#link.call('ping', undefined)).objects === 0;
  }

  /**
   * Up to `limit` objects of a namespace: the first, or what follows the page with that token; in
   * the version at that place among those of the type.
   */
  async list<T extends ApiObject = ApiObject>(
    namespace: string,
    limit: number,
    continueToken = '',
    version = 0,
  ): Promise<ListedPage<T>> {
    const texts = await this.#listTexts({ namespace, limit, continue: continueToken, version });
    const { items, metadata } = JSON.parse(Buffer.concat(texts).toString()) as ListDocument<T>;
    const { remainingItemCount: remaining = 0, continue: next = '', resourceVersion } = metadata;
    return { items, remaining, continueToken: next, resourceVersion };
  }

  /** All objects of a namespace that a selector matches. */
  async listMatching<T extends ApiObject = ApiObject>(
    namespace: string,
    labelSelector: string,
  ): Promise<readonly T[]> {
    const all = { namespace, limit: 0, continue: '', version: 0, labelSelector };
    const texts = await this.#listTexts(all);
    return (JSON.parse(Buffer.concat(texts).toString()) as ListDocument<T>).items;
  }

  /** Writes it in the version at that place among those of the type. */
  async create({ namespace }: ObjectName, object: object, version = 0): Promise<void> {
    const body = Buffer.from(JSON.stringify(object));
    await this.#ask('create', { ...WRITE, ...this.#writer, namespace, name: '', version }, body);
  }

  /** Rejects with StatusError 409 when the object is not the newest. */
  async update(at: ObjectName, object: object, subresource = '', version = 0): Promise<void> {
    const body = Buffer.from(JSON.stringify(object));
    await this.#ask('update', { ...WRITE, ...this.#writer, ...at, subresource, version }, body);
  }

  /** Rejects with StatusError 409 when the object is not that of `uid`, where one is given. */
  async delete(at: ObjectName, uid?: string, gracePeriodSeconds?: number): Promise<void> {
    const { user } = this.#writer;
    const asked = {
      ...at,
      ...(uid && { uid }),
      ...(user !== undefined && { user }),
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    };
    await this.#ask('delete', { ...asked, format: 'json', dryRun: false });
  }

  /**
   * Server-side apply: fields that others own are taken from them. `how` says which part is
   * applied, and as whose, where it is not all of it as the client's.
   */
  async apply(
    at: ObjectName,
    object: object,
    how: {
      readonly subresource?: string;
      readonly manager?: string;
      readonly version?: number;
    } = {},
  ): Promise<void> {
    const body = Buffer.from(JSON.stringify(object));
    const patch = { ...WRITE, ...this.#writer, patchType: 'apply', force: true } as const;
    await this.#ask('patch', { ...patch, ...at, ...how }, body);
  }

  /** A merge patch. */
  async merge(at: ObjectName, patch: object): Promise<void> {
    const body = Buffer.from(JSON.stringify(patch));
    const asked = { ...WRITE, ...this.#writer, patchType: 'merge', force: false } as const;
    await this.#ask('patch', { ...asked, ...at }, body);
  }

  /** Deletes the object with that uid; one that is gone already, or was made anew, is fine. */
  async deleteExactly(at: ObjectName, uid: string, gracePeriodSeconds?: number): Promise<void> {
    try {
      await this.delete(at, uid, gracePeriodSeconds);
    } catch (error) {
      if (!isRefusal(error, 404) && !isRefusal(error, 409)) throw error;
    }
  }

  /** Calls back whenever the object is written or removed, from when it resolves on. */
  async watch({ namespace, name }: ObjectName, onChange: () => void): Promise<void> {
    await this.#watch(namespace, { fieldSelector: `metadata.name=${name}` }, () => undefined);
    this.#onFrame = onChange;
  }

  /**
   * Calls back with each object that there is, and with each change from then on, in order;
   * resolves once all that there were have been told. Nothing is missed: the link keeps the order.
   */
  async follow(
    onEvent: (event: WatchEvent) => void,
    { onVersion, ...followed }: FollowOptions = {},
  ): Promise<void> {
    const told = (events: Uint8Array): void => {
      for (const line of Buffer.from(events).toString().split('\n')) {
        if (line !== '') onEvent(JSON.parse(line) as WatchEvent);
      }
    };
    // Changes may come in the same frame as the page that makes the watch live.
    this.#onFrame = (events, rv) => {
      told(events);
      onVersion?.(rv);
    };
    const rv = await this.#watch('', followed, told);
    onVersion?.(rv);
  }

  #listTexts(asked: ListedPart): Promise<Uint8Array[]> {
    const texts: Uint8Array[] = [];
    return new Promise((resolve, reject) => {
      const take: Callback<ListPage> = (error, page, text) => {
        if (error !== undefined) return reject(error);
        texts.push(text);
        const { listId } = page;
        if (listId === undefined) resolve(texts);
        else this.#link.ask('listMore', { listId }, undefined, take);
      };
      this.#link.ask('list', { ...EVERYTHING, ...asked }, undefined, take);
    });
  }

  /** One watch on a link: `onPage` gets the events up to the version at which it is live. */
  async #watch(
    namespace: string,
    followed: Followed,
    onPage: (events: Uint8Array) => void,
  ): Promise<number> {
    const open = {
      watchId: WATCH_ID,
      namespace,
      labelSelector: '',
      fieldSelector: '',
      ...followed,
      resourceVersion: '',
      initialEvents: '',
    } as const;
    const ask = (isFirst: boolean): Promise<WatchPage> =>
      new Promise((resolve, reject) => {
        const take: Callback<WatchPage> = (error, page, events) => {
          if (error !== undefined) return reject(error);
          onPage(events);
          resolve(page);
        };
        if (isFirst) this.#link.ask('watch', open, undefined, take);
        else this.#link.ask('watchMore', { watchId: WATCH_ID }, undefined, take);
      });
    let page = await whenKnown(() => ask(true));
    while (page.channel === undefined) page = await ask(false);
    return page.rv;
  }

  /** Resolves when every change that was answered by now has been told, or will not be. */
  async whenTold(): Promise<void> {
    await this.#link.call('bookmark', { views: [] });
  }

  /** Asks for what the shards of this type alone know. */
  callOwn(verb: string, request: unknown): Promise<unknown> {
    return this.#link.call('own', { verb, request });
  }

  /** Tells what the shards of this type alone know. */
  tellOwn(verb: string, request: unknown): void {
    this.#link.tell('own', { verb, request });
  }

  /**
   * Nothing more is told of what is followed. Resolves when nothing of it is on its way, so that it
   * can be followed again.
   */
  async unfollow(): Promise<void> {
    this.#onFrame = () => undefined;
    this.#link.tell('watchClosed', { watchId: WATCH_ID });
    await this.whenTold();
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

/**
 * Etcd may have been away, or a view behind, for longer than a request waits; whoever follows a
 * type would wait for ever.
 */
async function whenKnown<Page>(ask: () => Promise<Page>): Promise<Page> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isRefusal(error, 503)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
