/** The documents of an API: those that are published with a release, and those of a server. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { OptionsError } from '../flags.ts';
import { isJson, listOf, textOf, type Json } from './facts.ts';
import { publishedEnums, type Enums } from './published-enums.ts';

export interface Documents {
  readonly v2: Json;
  /** By root: `api/v1`, `apis/apps`. */
  readonly v3: ReadonlyMap<string, Json>;
  /** `/apis` and below, by path; `/api/v1`. None where they are not published. */
  readonly discovery: ReadonlyMap<string, Json>;
  /** All of `/apis` in one; undefined where it is not published. */
  readonly aggregated: Json | undefined;
  /** Allowed values, where the documents themselves are without. */
  readonly enums?: Enums | undefined;
}

const V3_ENDING = '_openapi.json';
const JSON_ENDING = '.json';
const AGGREGATED = 'aggregated_';

/** Those in the folder `api` of the sources of a release. Throws `OptionsError`. */
export function publishedDocuments(folder: string): Documents {
  const swagger = join(folder, 'openapi-spec/swagger.json');
  if (!existsSync(swagger)) {
    throw new OptionsError(
      `--documents: ${swagger} is not there: give the folder "api" of a release`,
    );
  }
  const ofV3 = join(folder, 'openapi-spec/v3');
  const v3 = namesIn(ofV3, V3_ENDING).map(
    (name) => [pathOf(name), read(join(ofV3, `${name}${V3_ENDING}`))] as const,
  );
  const ofDiscovery = join(folder, 'discovery');
  const found = existsSync(ofDiscovery) ? namesIn(ofDiscovery, JSON_ENDING) : [];
  // One release has two documents of a group, and none of the others.
  const names = found.includes('apis') ? found : [];
  // The newest form last.
  const newest = names
    .filter((name) => name.startsWith(AGGREGATED))
    .toSorted(byVersion)
    .at(-1);
  return {
    v2: read(swagger),
    v3: new Map(v3),
    discovery: new Map(
      names
        .filter((name) => !name.startsWith(AGGREGATED))
        .map((name) => [`/${pathOf(name)}`, read(join(ofDiscovery, `${name}${JSON_ENDING}`))]),
    ),
    aggregated:
      newest === undefined ? undefined : read(join(ofDiscovery, `${newest}${JSON_ENDING}`)),
    enums: publishedEnums(folder),
  };
}

/** `v2` comes after its betas. */
function byVersion(one: string, other: string): number {
  return one.length === other.length ? (one < other ? -1 : 1) : other.length - one.length;
}

function namesIn(folder: string, ending: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(ending));
  return names.map((name) => name.slice(0, -ending.length)).toSorted();
}

function pathOf(name: string): string {
  return name.replaceAll('__', '/');
}

function read(file: string): Json {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isJson(value)) throw new OptionsError(`${file} is no document`);
  return value;
}

/** Asks for a document; undefined where there is none. */
export type Ask = (path: string, accept?: string) => Promise<Json | undefined>;

const AGGREGATED_KIND = 'APIGroupDiscoveryList';

/** Those of a server, in the forms that are published. */
export async function servedDocuments(ask: Ask, published: Documents): Promise<Documents> {
  const must = async (path: string): Promise<Json> => {
    const document = await ask(path);
    if (document === undefined) throw new OptionsError(`the server has no ${path}`);
    return document;
  };
  const { paths: roots } = await must('/openapi/v3');
  const v3 = new Map<string, Json>();
  for (const root of Object.keys(isJson(roots) ? roots : {})) {
    v3.set(root, await must(`/openapi/v3/${root}`));
  }
  const [, version = ''] = textOf(published.aggregated?.['apiVersion']).split('/');
  const form = `application/json;g=apidiscovery.k8s.io;v=${version};as=${AGGREGATED_KIND}`;
  return {
    v2: await must('/openapi/v2'),
    v3,
    discovery: await servedDiscovery(must),
    aggregated: version === '' ? undefined : await ask('/apis', form),
  };
}

async function servedDiscovery(
  must: (path: string) => Promise<Json>,
): Promise<ReadonlyMap<string, Json>> {
  const all = await must('/apis');
  const documents = new Map([
    ['/api/v1', await must('/api/v1')],
    ['/apis', all],
  ]);
  for (const group of listOf(all['groups'])) {
    const path = `/apis/${textOf(group['name'])}`;
    documents.set(path, await must(path));
    for (const { groupVersion } of listOf(group['versions'])) {
      const below = `/apis/${textOf(groupVersion)}`;
      documents.set(below, await must(below));
    }
  }
  return documents;
}
