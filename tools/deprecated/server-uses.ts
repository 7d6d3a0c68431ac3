/** Asks a running server about the use of versions that are to go. */
import {
  deprecatedResource,
  deprecatedUse,
  deprecatedUses,
  type DeprecatedUse,
} from '../../src/conversion/deprecations.ts';
import { dialectShown, nameOf } from '../../src/conversion/convert-manifests.ts';
import type { Dialect } from '../../src/conversion/convert.ts';
import { isMembers, itemsAt, type Members } from '../../src/conversion/members.ts';
import { MANIFEST_KINDS } from '../../src/conversion/version-table.ts';
import { ApiClient } from '../soak/api-client.ts';
import type { Target } from '../soak/target.ts';

export interface FoundUse {
  /** `CronJob shop/backup`, `/metrics`. */
  readonly where: string;
  readonly use: DeprecatedUse;
}

export interface ServerUses {
  readonly found: readonly FoundUse[];
  /** A line for each thing that could not be looked at. */
  readonly unread: readonly string[];
}

const PAGE = 500;
const METRICS = '/metrics';

/** A resource that can be listed, in a version that stays if there is one. */
interface Listed {
  /** As metrics name it. */
  readonly resource: string;
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/** Rejects with `ConnectionError`. */
export async function serverUses(target: Target): Promise<ServerUses> {
  const client = new ApiClient(target);
  const unread: string[] = [];
  try {
    const get = async (path: string): Promise<string | undefined> => {
      const { status, text } = await client.request('GET', `${target.basePath}${path}`);
      if (status === 200) return text;
      // Not every server has metrics.
      if (status === 404 && path === METRICS) return undefined;
      unread.push(`GET ${path}: ${status}`);
      return undefined;
    };
    const found: FoundUse[] = [];
    const groups = await json(get, '/apis');
    const dialect = dialectShown(JSON.stringify(groups)) ?? 'cluster.io';
    const metrics = (await get(METRICS)) ?? '';
    const stored = storedObjects(metrics);
    for (const listed of await listedResources(get, groups, dialect)) {
      const count = stored.get(listed.resource);
      const by = count === 1 ? '1 object' : `${count} objects`;
      const use = deprecatedUse(listed.apiVersion, listed.kind, dialect, by);
      // A list in that version would count, and the next check would tell of this one.
      if (use !== undefined && count !== undefined) {
        if (count > 0) found.push({ where: METRICS, use });
        continue;
      }
      await forEachObject(listed, get, (object) => {
        for (const use of deprecatedUses(object, dialect))
          found.push({ where: nameOf(object), use });
      });
    }
    found.push(...metricUses(metrics, dialect));
    return { found: withoutRepeats(found), unread };
  } finally {
    client.close();
  }
}

type Get = (path: string) => Promise<string | undefined>;

async function json(get: Get, path: string): Promise<Members> {
  const value: unknown = JSON.parse((await get(path)) ?? '{}');
  return isMembers(value) ? value : {};
}

/** Each resource in the first version that stays of those of its group, or in the first one. */
async function listedResources(
  get: Get,
  groups: Members,
  dialect: Dialect,
): Promise<readonly Listed[]> {
  const versions = itemsAt(groups, 'groups').flatMap(([group]) =>
    itemsAt(group, 'versions').map(([{ groupVersion }]) => String(groupVersion)),
  );
  const all = new Map<string, Listed>();
  for (const apiVersion of ['v1', ...versions]) {
    const path = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
    for (const [{ name, kind, verbs }] of itemsAt(await json(get, path), 'resources')) {
      const isListed = Array.isArray(verbs) && verbs.includes('list');
      if (!isListed || typeof kind !== 'string' || !MANIFEST_KINDS.has(kind)) continue;
      const group = apiVersion === 'v1' ? '' : `.${apiVersion.split('/')[0]}`;
      const resource = `${String(name)}${group}`;
      const known = all.get(resource);
      const isKnownToStay = known && !deprecatedUse(known.apiVersion, kind, dialect);
      if (isKnownToStay || (known && deprecatedUse(apiVersion, kind, dialect))) continue;
      all.set(resource, { resource, path: `${path}/${String(name)}`, apiVersion, kind });
    }
  }
  return [...all.values()];
}

async function forEachObject(
  { path, apiVersion, kind }: Listed,
  get: Get,
  visit: (object: Members) => void,
): Promise<void> {
  let token = '';
  do {
    const from = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
    const page = await json(get, `${path}?limit=${PAGE}${from}`);
    for (const [item] of itemsAt(page, 'items')) visit({ apiVersion, kind, ...item });
    const next = isMembers(page['metadata']) ? page['metadata']['continue'] : undefined;
    token = typeof next === 'string' ? next : '';
  } while (token !== '');
}

/** The gauge of versions that were asked for. */
function metricUses(text: string, dialect: Dialect): FoundUse[] {
  const lines = text.matchAll(/^apiserver_requested_deprecated_apis\{([^}]*)\} ([0-9.e+]+)/gm);
  return [...lines].flatMap(([, labels = '', value]) => {
    const [group, version] = [labelOf(labels, 'group'), labelOf(labels, 'version')];
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const resource = labelOf(labels, 'resource');
    const use = deprecatedResource(apiVersion, resource, dialect, 'asked for since the start');
    return use === undefined || Number(value) === 0 ? [] : [{ where: METRICS, use }];
  });
}

/** The value of a label; '' where there is none. */
function labelOf(labels: string, name: string): string {
  return new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? '';
}

/** How many objects there are, by resource and group; empty where the server does not say. */
function storedObjects(metrics: string): ReadonlyMap<string, number> {
  const lines = metrics.matchAll(
    /^apiserver_(?:storage|resource)_objects\{(?<labels>[^}]*)\} (?<count>[0-9.e+-]+)/gm,
  );
  return new Map(
    [...lines].map(({ groups: { labels = '', count = '' } = {} }) => {
      const [group, resource] = [labelOf(labels, 'group'), labelOf(labels, 'resource')];
      return [group === '' ? resource : `${resource}.${group}`, Number(count)];
    }),
  );
}

function withoutRepeats(found: readonly FoundUse[]): readonly FoundUse[] {
  const byText = new Map(found.map((one) => [JSON.stringify(one), one]));
  return [...byText.values()];
}
