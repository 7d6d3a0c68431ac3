/**
 * What a namespace has in types of other servers of the API: these are asked what they have, and
 * told to delete it, as the account of this controller.
 */
import { controllerUser } from '../../auth/controller-users.ts';
import {
  discoverRemote,
  groupVersionKey,
  type RemoteDiscovery,
  type ResourceDiscovery,
} from '../../aggregation/remote-discovery.ts';
import { REMOTE_CONTENT_MS_MAX } from '../../aggregation/limits.ts';
import { ProxyCertificate } from '../../aggregation/proxy-certificate.ts';
import { resourcesPath, type RemoteApi } from '../../aggregation/remote-api.ts';
import { serviceObjects } from '../../aggregation/service-objects.ts';
import type { AggregationSettings } from '../../aggregation/settings.ts';
import { Upstreams, type RemoteAnswer } from '../../aggregation/upstreams.ts';
import { userHeaders } from '../../aggregation/user-headers.ts';
import type { Port } from '../../actors/port.ts';
import type { NamespaceContent } from '../../protocol/upkeep-protocol.ts';
import { ownRelease } from '../../release/release.ts';
import { ShardObjects } from '../../replicas/shard-objects.ts';
import { userOfText } from '../../semantics/user.ts';

const NOT_SERVED: ReadonlySet<number> = new Set([404, 405]);
const TELLS_STALE = ownRelease().has('staleDiscovery');

export interface RemoteContentOptions {
  readonly aggregation: AggregationSettings;
  readonly nowMs: () => number;
  /** Gives a port of its own to the shard of a type. */
  readonly portTo: (resource: string) => Port;
}

/** A type of another server that has objects in namespaces, which can be deleted. */
export interface RemoteType {
  readonly api: RemoteApi;
  /** `flunders.wardle.example.com`. */
  readonly name: string;
  readonly resource: ResourceDiscovery;
}

export interface RemoteTypes {
  readonly types: readonly RemoteType[];
  /** Servers that could not be asked: `group/version: why`. */
  readonly failures: readonly string[];
}

interface List {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string; readonly finalizers?: readonly string[] };
  }[];
}

export class RemoteContent {
  readonly #upstreams: Upstreams;
  readonly #clients = new Map<string, ShardObjects>();
  /** By the name of the APIService. */
  readonly #known = new Map<string, RemoteDiscovery>();
  readonly #headers = userHeaders(userOfText(controllerUser('namespace-controller')), false);

  constructor({ aggregation, nowMs, portTo }: RemoteContentOptions) {
    const client = (type: string): ShardObjects => {
      const known = this.#clients.get(type) ?? new ShardObjects(type, portTo(type));
      this.#clients.set(type, known);
      return known;
    };
    this.#upstreams = new Upstreams({
      objects: serviceObjects(client),
      routing: aggregation.routing,
      certificate: new ProxyCertificate(aggregation.certificate, nowMs),
      nowMs,
    });
  }

  /** Each type of a group once, in the version that is preferred. */
  async discover(apis: readonly RemoteApi[]): Promise<RemoteTypes> {
    const failures: string[] = [];
    const types = new Map<string, RemoteType>();
    const preferred = apis.toSorted((one, other) => other.versionPriority - one.versionPriority);
    for (const api of preferred) {
      const groupVersion = groupVersionKey(api.group, api.version);
      const discovery = await this.#discovered(api);
      if (discovery === undefined) failures.push(`${groupVersion}: ${failureOf(groupVersion)}`);
      for (const resource of discovery?.resources.get(groupVersion) ?? []) {
        const name = `${resource.resource}.${api.group}`;
        const isIts = resource.scope === 'Namespaced' && resource.verbs.includes('delete');
        if (isIts && !types.has(name)) types.set(name, { api, name, resource });
      }
    }
    return { types: [...types.values()], failures: failures.sort() };
  }

  /** Deletes all of a namespace. Rejects with what the server says where it does not. */
  async empty(namespace: string, { api, resource }: RemoteType): Promise<NamespaceContent> {
    const { verbs } = resource;
    const path = `${resourcesPath(api)}/namespaces/${namespace}/${resource.resource}`;
    const upstream = await this.#upstreams.find(api);
    const ask = (verb: 'get' | 'delete', at: string): Promise<RemoteAnswer> => {
      const headers = [...this.#headers, ['Accept', 'application/json'] as const];
      return this.#upstreams[verb](upstream, at, headers, REMOTE_CONTENT_MS_MAX);
    };
    const collection = verbs.includes('deletecollection');
    if (collection) checked(await ask('delete', path), path);
    if (!verbs.includes('list')) return contentOf([]);
    if (!collection) {
      for (const { metadata } of await listed(ask('get', path), path)) {
        const at = `${path}/${metadata?.name ?? ''}`;
        checked(await ask('delete', at), at);
      }
    }
    return contentOf(await listed(ask('get', path), path));
  }

  close(): void {
    this.#upstreams.close();
    for (const client of this.#clients.values()) client.close();
  }

  async #discovered(api: RemoteApi): Promise<RemoteDiscovery | undefined> {
    if (!api.isAvailable) return undefined;
    try {
      const found = await discoverRemote(this.#upstreams, api, this.#known.get(api.name));
      this.#known.set(api.name, found);
      return found;
    } catch {
      // It is told that it could not be asked.
      return undefined;
    }
  }
}

/** As clients of the release say it. */
function failureOf(groupVersion: string): string {
  return TELLS_STALE
    ? `stale GroupVersion discovery: ${groupVersion}`
    : 'the server is currently unable to handle the request';
}

async function listed(
  answer: Promise<RemoteAnswer>,
  path: string,
): Promise<NonNullable<List['items']>> {
  const { status, body } = checked(await answer, path);
  return status === 200 ? ((JSON.parse(body.toString()) as List).items ?? []) : [];
}

/** What is not served has nothing. */
function checked(answer: RemoteAnswer, path: string): RemoteAnswer {
  const { status } = answer;
  const isDone = (status >= 200 && status < 300) || NOT_SERVED.has(status);
  if (!isDone) throw new Error(`${path} was answered ${status}`);
  return answer;
}

function contentOf(items: NonNullable<List['items']>): NamespaceContent {
  const finalizers: Record<string, number> = {};
  for (const { metadata } of items) {
    for (const name of metadata?.finalizers ?? []) finalizers[name] = (finalizers[name] ?? 0) + 1;
  }
  return { terminating: true, remaining: items.length, finalizers };
}
