/**
 * Types with the same traits, built-in and custom, for which the same scenarios hold. Each object
 * has a text of its own, which scenarios write and read.
 */
import type { Test } from 'tap';
import { customDefinition, definedVersion, established } from './custom-types.ts';
import type { Members, TestObject } from './kinds.ts';
import { sendPatch, type PatchType } from './send-patch.ts';
import type { Answer, Server } from './server.ts';

const GROUP = 'types.example.com';
const TEXT: Members = { type: 'string' };
const REPLICAS: Members = { replicas: { type: 'integer' } };

interface TypeFacts {
  readonly kind: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly isCustom: boolean;
  /** Has the subresources `status` and `scale`. */
  readonly hasParts: boolean;
  /** Counts the generations of its objects. */
  readonly hasGeneration: boolean;
  /** An update need not name the version that it is of. */
  readonly unconditional: boolean;
  /** A valid object, without its text. */
  readonly members: () => TestObject;
  /** The members on the way to the text of an object. */
  readonly textAt: readonly string[];
}

const WORKLOAD_SCHEMA: Members = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { ...REPLICAS, text: TEXT, more: { type: 'object', additionalProperties: TEXT } },
    },
    status: { type: 'object', properties: REPLICAS },
  },
};

const POD_TEMPLATE = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'a', image: 'a:1' }] },
};

const TYPES: readonly TypeFacts[] = [
  {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    plural: 'configmaps',
    namespaced: true,
    isCustom: false,
    hasParts: false,
    hasGeneration: false,
    unconditional: true,
    members: () => ({ data: {} }),
    textAt: ['data', 'text'],
  },
  {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    plural: 'deployments',
    namespaced: true,
    isCustom: false,
    hasParts: true,
    hasGeneration: true,
    unconditional: true,
    members: () => ({
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'a' } },
        template: structuredClone(POD_TEMPLATE),
      },
    }),
    textAt: ['spec', 'template', 'spec', 'nodeName'],
  },
  {
    kind: 'Workload',
    apiVersion: `${GROUP}/v1`,
    plural: 'workloads',
    namespaced: true,
    isCustom: true,
    hasParts: true,
    hasGeneration: true,
    unconditional: false,
    members: () => ({ spec: { replicas: 1 } }),
    textAt: ['spec', 'text'],
  },
  // Named as a built-in kind, and without a schema.
  {
    kind: 'Service',
    apiVersion: `${GROUP}/v1`,
    plural: 'services',
    namespaced: false,
    isCustom: true,
    hasParts: false,
    hasGeneration: true,
    unconditional: false,
    members: () => ({}),
    textAt: ['constructor', 'text'],
  },
];

/** Defines the custom ones, unless they are there. */
async function defineTypes(server: Server): Promise<void> {
  const found = await server.get(`/apis/${GROUP}/v1`);
  if (found.status === 200) return;
  const paths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const workload = definedVersion('v1', {
    schema: { openAPIV3Schema: WORKLOAD_SCHEMA },
    subresources: { status: {}, scale: paths },
  });
  await established(server, customDefinition(GROUP, 'Workload', [workload]));
  const cluster = { scope: 'Cluster' };
  await established(server, customDefinition(GROUP, 'Service', [definedVersion('v1')], cluster));
}

/** A type on a server, its objects in a namespace of their own where it has namespaces. */
export class TypeUnderTest {
  readonly facts: TypeFacts;
  readonly path: string;
  /** The namespace of the objects of a scenario: types without namespaces have all in one place. */
  readonly namespace: string;
  readonly server: Server;

  constructor(server: Server, facts: TypeFacts, namespace: string) {
    this.server = server;
    this.facts = facts;
    this.namespace = namespace;
    const { apiVersion, plural, namespaced } = facts;
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    this.path = `${root}/${namespaced ? `namespaces/${namespace}/` : ''}${plural}`;
  }

  /** As errors name it. */
  get resource(): string {
    const { apiVersion, plural } = this.facts;
    const [group] = apiVersion.split('/');
    return apiVersion.includes('/') ? `${plural}.${group}` : plural;
  }

  /** A selector and the label of all objects of this namespace, or of this use of the type. */
  get selector(): string {
    return `used-by=${this.namespace}`;
  }

  object(name: string, text = 'one', metadata: Members = {}): TestObject {
    const { kind, apiVersion, members, namespaced } = this.facts;
    const labels = { 'used-by': this.namespace, ...(metadata['labels'] as object) };
    const named = { name, ...(namespaced && { namespace: this.namespace }), ...metadata, labels };
    return withText({ apiVersion, kind, metadata: named, ...members() }, this.facts.textAt, text);
  }

  /** A part of an object that has this text and nothing else of its own. */
  part(text: string | null): TestObject {
    return withText({}, this.facts.textAt, text);
  }

  textOf(object: TestObject): unknown {
    let value = object;
    for (const name of this.facts.textAt) {
      value = Object.hasOwn(value ?? {}, name) ? value[name] : undefined;
    }
    return value;
  }

  at(name: string, part = ''): string {
    return `${this.path}/${name}${part === '' ? '' : `/${part}`}`;
  }

  create(name: string, text?: string, metadata?: Members): Promise<Answer> {
    return this.server.post(this.path, this.object(name, text, metadata));
  }

  get(name: string): Promise<Answer> {
    return this.server.get(this.at(name));
  }

  patch(name: string, type: PatchType, body: unknown, query = ''): Promise<Answer> {
    return sendPatch(this.server, this.at(name) + query, type, body);
  }

  watch(query: string): ReturnType<Server['watch']> {
    return this.server.watch(`${this.path}?watch=true&${query}`);
  }

  async version(): Promise<string> {
    return (await this.server.get(`${this.path}?limit=1`)).json.metadata.resourceVersion;
  }
}

function withText(object: TestObject, textAt: readonly string[], text: string | null): TestObject {
  let parent = object;
  for (const name of textAt.slice(0, -1)) {
    if (!Object.hasOwn(parent, name)) parent[name] = {};
    parent = parent[name];
  }
  parent[textAt.at(-1) ?? ''] = text;
  return object;
}

/** Runs the scenario for each type, in a namespace of its own. */
export async function forEachType(
  t: Test,
  server: Server,
  scenario: string,
  run: (t: Test, type: TypeUnderTest) => Promise<void>,
): Promise<void> {
  await defineTypes(server);
  const namespace = scenario
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .slice(0, 40);
  await server.post('/api/v1/namespaces', { metadata: { name: namespace } });
  for (const facts of TYPES) {
    await t.test(`${facts.apiVersion} ${facts.kind}: ${scenario}`, (t) =>
      run(t, new TypeUnderTest(server, facts, namespace)),
    );
  }
}
