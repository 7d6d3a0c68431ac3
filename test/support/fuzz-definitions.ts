/** Random requests for definitions of all kinds of types, and for the objects of these. */
import fc from 'fast-check';
import { ANYTHING, customDefinition, DEFINITIONS } from './custom-types.ts';
import type { Members } from './kinds.ts';
import { documentText } from './random-object.ts';
import type { Random } from './random.ts';
import { OBJECTS, SCHEMAS } from './schema-cases.ts';
import { PATCH_TYPES } from './send-patch.ts';

const APPROVED = 'api-approved.cluster.io';
const SAMPLES = 60;

const USUAL_GROUP = 'fuzz.example.com';
/** No random definition has it, so that none takes a name in it or takes a type away. */
const STEADY_GROUP = 'steady.example.com';
/** A type that is there all the time: what is valid is accepted, whatever the seed. */
export const STEADY_DEFINITION = customDefinition(STEADY_GROUP, 'Widget');
const STEADY_NAMES = {
  group: STEADY_GROUP,
  plural: 'widgets',
  kind: 'Widget',
  version: 'v1',
} as const;
/** One request in so many is valid on purpose. */
const VALID_EVERY = 20;

/** Few of each, so that they meet: usual ones, names of members, of built-in types and of paths. */
const GROUPS = [
  USUAL_GROUP,
  USUAL_GROUP,
  'a.b',
  'openapi.v2',
  'v1.apis',
  'healthz.status',
  'constructor.prototype',
  'coordination.cluster.io',
  'apiextensions.cluster.io',
  'apps',
  '__proto__',
  'watch.',
  'Upper.example.com',
] as const;
const PLURALS = [
  'widgets',
  'gadgets',
  'gizmos',
  'constructor',
  'watch',
  'status',
  'scale',
  'namespaces',
  'leases',
  'hasownproperty',
  'tostring',
  '__proto__',
  'proxy',
  'finalize',
  'valueof',
] as const;
const KINDS = [
  'Widget',
  'Gadget',
  'Gizmo',
  'Constructor',
  'Watch',
  'Status',
  'List',
  'Lease',
  'Event',
  'WatchEvent',
  'Table',
  'Object',
  'DeleteOptions',
  'Scale',
  'Pod',
  '__proto__',
] as const;
const VERSIONS = ['v1', 'v1beta1', 'v2', 'watch', 'constructor', 'namespaces', 'v0', '-'] as const;
const SHORT_NAMES = ['w', 'po', 'crd', 'constructor', 'widgets', 'status'] as const;
const CATEGORIES = ['all', 'constructor', 'tostring'] as const;
const NAMES = ['a', 'b', 'status', 'watch', 'constructor', 'scale'] as const;
const PATHS = [
  '.spec.a',
  '.status.a',
  '.metadata.name',
  '.spec["a.b"]',
  '.spec.__proto__',
  '.a[*].b',
  '.a[?(@.b=="c")].d',
  '.spec..a',
  '{.a}',
  '.constructor',
  `.a${'.b'.repeat(300)}`,
  '.a[',
] as const;
const PATTERNS = [
  '^(a+)+$',
  '(a|a)*b',
  '(.*)*x',
  'a{1000}',
  '(?=a)',
  '\\p{Greek}',
  '[',
  '(a{0,99}){0,99}',
  '^\\w+([-+.]\\w+)*@x$',
] as const;
const VALUES = ['a'.repeat(5_000), 'a', '', 'x@x'] as const;
const ACCEPTS = [
  'application/json',
  'application/yaml',
  'application/json;as=Table;g=meta.cluster.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.cluster.io;v=v1,application/json',
  'application/vnd.cluster.protobuf;as=PartialObjectMetadataList;g=meta.cluster.io;v=v1',
  'application/vnd.cluster.protobuf',
] as const;
const DOCUMENTS = [
  '/apis',
  '/openapi/v2',
  '/openapi/v3',
  '/api',
  '/apis/a.b',
  '/apis/a.b/v1',
] as const;

export interface DefinitionCase {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Names {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly version: string;
}

/** Requests for a server that has `STEADY_DEFINITION`. */
export class DefinitionCases {
  #made = 0;
  readonly #random: Random;
  readonly #schemas: readonly Members[];
  /** The schemas without the members that only inner ones may have. */
  readonly #roots: readonly Members[];
  readonly #objects: readonly Members[];

  constructor(random: Random, seed: number) {
    this.#random = random;
    this.#schemas = fc.sample(SCHEMAS, { numRuns: SAMPLES, seed }) as Members[];
    this.#roots = this.#schemas.map(rootOf);
    this.#objects = fc.sample(OBJECTS, { numRuns: SAMPLES, seed });
  }

  next(): DefinitionCase {
    this.#made += 1;
    if (this.#made % VALID_EVERY === 0) return this.#valid(this.#made / VALID_EVERY);
    const which = this.#random.below(20);
    const names = this.#names();
    if (which < 6) return this.#definition(names);
    if (which === 6) return this.#read(this.#pick(DOCUMENTS));
    return this.#object(this.#chance(0.2) ? STEADY_NAMES : names);
  }

  /** In turns a new object, a new definition and the end of that one. */
  #valid(turn: number): DefinitionCase {
    const { group, plural, kind, version } = STEADY_NAMES;
    if (turn % 3 === 0) {
      const collection = `/apis/${group}/${version}/namespaces/default/${plural}`;
      const metadata = { name: `valid-${turn}`, ...this.#owners() };
      const spec = this.#pick(VALUES);
      return this.#write('POST', collection, {
        apiVersion: `${group}/${version}`,
        kind,
        metadata,
        spec,
      });
    }
    const definition = customDefinition(group, `Turn${turn - (turn % 3)}`);
    if (turn % 3 === 1) return this.#write('POST', DEFINITIONS, definition);
    return { method: 'DELETE', path: `${DEFINITIONS}/${definition.metadata.name}`, headers: {} };
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[this.#random.below(choices.length)] as T;
  }

  #chance(of: number): boolean {
    return this.#random.fraction() < of;
  }

  /** Mostly of a few that can be had, so that objects find their types. */
  #names(): Names {
    if (this.#chance(0.6)) {
      const at = this.#random.below(3);
      const version = this.#pick(VERSIONS.slice(0, 2));
      return { group: USUAL_GROUP, plural: PLURALS[at]!, kind: KINDS[at]!, version };
    }
    return {
      group: this.#pick(GROUPS),
      plural: this.#pick(PLURALS),
      kind: this.#pick(KINDS),
      version: this.#pick(VERSIONS),
    };
  }

  #read(path: string): DefinitionCase {
    return { method: 'GET', path, headers: { accept: this.#pick(ACCEPTS) } };
  }

  #write(method: string, path: string, body: unknown, contentType?: string): DefinitionCase {
    const headers = contentType === undefined ? {} : { 'content-type': contentType };
    return { method, path, body: documentText(body), headers };
  }

  #definition(names: Names): DefinitionCase {
    const name = `${names.plural}.${names.group}`;
    const path = `${DEFINITIONS}/${name}`;
    const how = this.#random.below(20);
    if (how < 11) return this.#write('POST', DEFINITIONS, this.#whole(name, names));
    if (how < 14) {
      const { spec } = this.#whole(name, names);
      return this.#write('PATCH', path, { spec }, PATCH_TYPES.merge);
    }
    if (how < 15) {
      const apply = `${path}?fieldManager=fuzz&force=true`;
      return this.#write('PATCH', apply, this.#whole(name, names), PATCH_TYPES.apply);
    }
    if (how < 16) {
      const status = { storedVersions: ['v1', this.#pick(VERSIONS)] };
      return this.#write('PATCH', `${path}/status`, { status }, PATCH_TYPES.merge);
    }
    if (how < 19) return { method: 'DELETE', path, headers: {} };
    return this.#read(path);
  }

  #whole(name: string, { group, plural, kind }: Names): Members & { spec: Members } {
    const stored = this.#random.below(2);
    const versions = ['v1', this.#chance(0.3) ? this.#pick(VERSIONS) : 'v1beta1'];
    return {
      apiVersion: 'apiextensions.cluster.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name, annotations: { [APPROVED]: 'https://example.com/1' } },
      spec: {
        group,
        scope: this.#chance(0.7) ? 'Namespaced' : 'Cluster',
        names: {
          plural,
          kind,
          ...(this.#chance(0.3) && { shortNames: [this.#pick(SHORT_NAMES)] }),
          ...(this.#chance(0.3) && { categories: [this.#pick(CATEGORIES)] }),
          ...(this.#chance(0.1) && { listKind: this.#pick(KINDS) }),
          ...(this.#chance(0.1) && { singular: this.#pick(PLURALS) }),
        },
        versions: versions.map((version, at) => ({
          name: version,
          served: this.#chance(0.9),
          storage: at === stored,
          schema: { openAPIV3Schema: this.#schema() },
          ...(this.#chance(0.4) && { subresources: this.#subresources() }),
          ...(this.#chance(0.4) && { additionalPrinterColumns: [this.#column()] }),
        })),
      },
    };
  }

  #schema(): Members {
    const schema = this.#pick(this.#chance(0.1) ? this.#schemas : this.#roots);
    const how = this.#random.below(6);
    if (how === 0) return ANYTHING;
    if (how > 2) return schema;
    const properties = { ...(schema['properties'] as Members | undefined) };
    if (how === 1) properties['spec'] = { type: 'string', pattern: this.#pick(PATTERNS) };
    else properties['spec'] = deepSchema(this.#pick([1, 30, 300]));
    return { ...schema, properties };
  }

  #path(below: string): string {
    return this.#chance(0.8) ? `${below}.a` : this.#pick(PATHS);
  }

  #subresources(): Members {
    const scale = {
      specReplicasPath: this.#path('.spec'),
      statusReplicasPath: this.#path('.status'),
      labelSelectorPath: this.#path('.status'),
    };
    return { ...(this.#chance(0.7) && { status: {} }), ...(this.#chance(0.5) && { scale }) };
  }

  #column(): Members {
    const type = this.#pick(['string', 'integer', 'number', 'boolean', 'date']);
    return { name: this.#pick(KINDS), type, jsonPath: this.#path('.metadata') };
  }

  #object(names: Names): DefinitionCase {
    const { group, plural, kind, version } = names;
    const namespace = this.#chance(0.7) ? '/namespaces/default' : '';
    const collection = `/apis/${group}/${version}${namespace}/${plural}`;
    const name = this.#pick(NAMES);
    const part = this.#chance(0.2) ? this.#pick(['/status', '/scale', '/watch']) : '';
    const path = `${collection}/${name}${part}`;
    const apiVersion = `${group}/${version}`;
    const members = { ...this.#pick(this.#objects) };
    if (this.#chance(0.3)) members['spec'] = this.#pick(VALUES);
    const object = { ...members, apiVersion, kind, metadata: { name, ...this.#owners() } };
    const how = this.#random.below(20);
    if (how < 7) return this.#write('POST', collection, object);
    if (how < 9) return this.#write('PUT', path, object);
    if (how < 11) return this.#write('PATCH', path, members, PATCH_TYPES.merge);
    if (how < 12) {
      const patch = [{ op: 'add', path: '/spec', value: members }];
      return this.#write('PATCH', path, patch, PATCH_TYPES.json);
    }
    if (how < 14) {
      const apply = `${path}?fieldManager=fuzz&force=true`;
      return this.#write('PATCH', apply, object, PATCH_TYPES.apply);
    }
    if (how < 15) return { method: 'DELETE', path, headers: {} };
    if (how < 16) return { method: 'DELETE', path: collection, headers: {} };
    if (how < 17) return this.#read(`${collection}?watch=true&timeoutSeconds=1`);
    // A path that begins with /watch/ opens a watch, which would not end.
    return this.#read(`${how < 19 ? collection : path}?limit=3&timeoutSeconds=1`);
  }

  #owners(): Members {
    if (this.#chance(0.9)) return {};
    return { finalizers: ['example.com/fuzz'], labels: { constructor: 'a' } };
  }
}

function rootOf({ properties = {} }: Members): Members {
  const { kind: _kind, metadata: _metadata, ...others } = properties as Members;
  return { type: 'object', properties: others };
}

function deepSchema(levels: number): Members {
  let schema: Members = { type: 'string' };
  for (let level = 0; level < levels; level += 1) {
    schema = { type: 'object', properties: { a: schema } };
  }
  return schema;
}
