/**
 * What another server of the API has: its group versions with their resources, as it tells itself,
 * in the form of aggregated discovery (../front/README.md#discovery).
 */
import { ownGroup } from '../semantics/dialect/own-names.ts';
import { REMOTE_DISCOVERY_MS_MAX } from './limits.ts';
import { resourcesPath, type RemoteApi } from './remote-api.ts';
import { UpstreamError, type Upstreams } from './upstreams.ts';
import { userHeaders } from './user-headers.ts';

/** Without group and version it is of the group version in which it is listed. */
export interface ResponseKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface SubresourceDiscovery {
  readonly subresource: string;
  readonly responseKind: ResponseKind;
  readonly verbs: readonly string[];
}

export interface ResourceDiscovery {
  readonly resource: string;
  readonly responseKind: ResponseKind;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly SubresourceDiscovery[];
}

/** By group version: `metrics.example.com/v1beta1`. */
export type RemoteResources = ReadonlyMap<string, readonly ResourceDiscovery[]>;

export interface RemoteDiscovery {
  readonly resources: RemoteResources;
  /** '' where the server has no document of all that it has. */
  readonly etag: string;
}

const KIND = 'APIGroupDiscoveryList';
const GROUP = ownGroup('apidiscovery.cluster.io');
const ACCEPT = ['v2', 'v2beta1']
  .map((version) => `application/json;g=${GROUP};v=${version};as=${KIND}`)
  .join();
const NOBODY_ELSE = { name: 'system:kube-aggregator', uid: '', groups: ['system:masters'] };
/** This server, which may see all. */
export const AGGREGATOR_HEADERS = userHeaders(NOBODY_ELSE, false);

/**
 * `before` is what it said when it was last asked. Rejects with UpstreamError, and WebhookError
 * where it is nowhere.
 */
export async function discoverRemote(
  upstreams: Upstreams,
  api: RemoteApi,
  before: RemoteDiscovery | undefined,
): Promise<RemoteDiscovery> {
  const upstream = await upstreams.find(api);
  const etag = before?.etag ?? '';
  const { status, headers, body } = await upstreams.get(
    upstream,
    '/apis',
    [
      ...AGGREGATOR_HEADERS,
      ['Accept', ACCEPT],
      ...(etag === '' ? [] : [['If-None-Match', etag] as const]),
    ],
    REMOTE_DISCOVERY_MS_MAX,
  );
  if (status === 304 && before !== undefined) return before;
  const isWhole = status === 200 && headers['content-type']?.includes(`as=${KIND}`) === true;
  if (isWhole) return { resources: wholeDiscovery(body), etag: headers.etag ?? '' };
  if (status === 503) throw new UpstreamError(`the server answered ${status}`);
  const path = resourcesPath(api);
  const plain = await upstreams.get(
    upstream,
    path,
    [...AGGREGATOR_HEADERS, ['Accept', 'application/json']],
    REMOTE_DISCOVERY_MS_MAX,
  );
  if (plain.status !== 200) throw new UpstreamError(`${path} was answered ${plain.status}`);
  const listed = groupVersionKey(api.group, api.version);
  return { resources: new Map([[listed, plainDiscovery(plain.body)]]), etag: '' };
}

export function groupVersionKey(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

interface DiscoveryList {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version?: string;
      readonly resources?: readonly ResourceDiscovery[];
    }[];
  }[];
}

function wholeDiscovery(body: Buffer): RemoteResources {
  const { items = [] } = documentOf<DiscoveryList>(body);
  const found = new Map<string, readonly ResourceDiscovery[]>();
  for (const { metadata, versions = [] } of items) {
    for (const { version = '', resources = [] } of versions) {
      const key = groupVersionKey(metadata?.name ?? '', version);
      found.set(key, resources.map(withKinds));
    }
  }
  return found;
}

const NO_KIND: ResponseKind = { group: '', version: '', kind: '' };

/** Clients of some releases need a kind everywhere. */
function withKinds(resource: ResourceDiscovery): ResourceDiscovery {
  const { responseKind = NO_KIND, subresources } = resource as Partial<ResourceDiscovery>;
  const kinded = subresources?.map((one) => ({
    ...one,
    responseKind: (one as Partial<SubresourceDiscovery>).responseKind ?? NO_KIND,
  }));
  return { ...resource, responseKind, ...(kinded !== undefined && { subresources: kinded }) };
}

interface PlainResource {
  readonly name?: string;
  readonly singularName?: string;
  readonly namespaced?: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

function plainDiscovery(body: Buffer): readonly ResourceDiscovery[] {
  const { resources = [] } = documentOf<{ resources?: readonly PlainResource[] }>(body);
  const parts = Map.groupBy(resources, ({ name = '' }) => name.split('/')[0] ?? '');
  return Array.from(parts, ([name, all]) => {
    const own = all.find((one) => one.name === name);
    const subresources = all
      .filter((one) => one !== own)
      .map((one) => ({
        subresource: (one.name ?? '').slice(name.length + 1),
        responseKind: kindOf(one),
        verbs: one.verbs ?? [],
      }));
    return resourceDiscovery(name, own ?? {}, all[0] ?? {}, subresources);
  });
}

function resourceDiscovery(
  resource: string,
  own: PlainResource,
  { namespaced }: PlainResource,
  subresources: readonly SubresourceDiscovery[],
): ResourceDiscovery {
  const { verbs = [], singularName = '', shortNames, categories } = own;
  return {
    resource,
    responseKind: kindOf(own),
    scope: namespaced === true ? 'Namespaced' : 'Cluster',
    singularResource: singularName,
    verbs,
    ...(shortNames !== undefined && { shortNames }),
    ...(categories !== undefined && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}

function kindOf({ group = '', version = '', kind = '' }: PlainResource): ResponseKind {
  return { group, version, kind };
}

/** Throws UpstreamError. */
function documentOf<T>(body: Buffer): T {
  try {
    return JSON.parse(body.toString()) as T;
  } catch (error) {
    throw new UpstreamError((error as Error).message);
  }
}
