/** The attacks: each is what some clients do for some seconds. */
import { finalizerPatch, LARGE_BODIES, largeText, numbered, REVIEWS } from './bodies.ts';
import type { AttackContext } from './attack-context.ts';
import { Wire } from './wire.ts';
import type { Call } from './wire.ts';

/** Attackers' answers by status; 0 for connections that ended without one. */
export type Answers = Map<number, number>;

export interface Scenario {
  readonly what: string;
  /** The collection that is attacked. */
  readonly collection: string;
  /** A get of it shows the same type. */
  readonly object: object;
  /** In a server with many ConfigMaps; else in one that may be empty. */
  readonly hasManyObjects?: boolean;
  /** Before anybody looks. */
  readonly prepare?: (context: AttackContext) => Promise<void>;
  readonly attack: (context: AttackContext, answers: Answers) => Promise<void>;
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const CONFIG_MAP = { kind: 'ConfigMap', apiVersion: 'v1' };
const YAML = 'application/yaml';
const TABLE = 'application/json;as=Table;v=v1;g=meta.cluster.io';

const ATTACK_MS = 4_000;
/** Clients that prepare objects. */
const CLIENTS = 32;
export const MANY_OBJECTS = [100_000, 300] as const;

function count(answers: Answers, status: number): void {
  answers.set(status, (answers.get(status) ?? 0) + 1);
}

/** Each client sends its calls one after the other, until there is none. */
async function clients(
  { server }: AttackContext,
  most: number,
  nextCall: () => Call | undefined,
  answers: Answers,
): Promise<void> {
  const one = async (): Promise<void> => {
    let wire = new Wire(server);
    for (let call = nextCall(); call !== undefined; call = nextCall()) {
      const status = await wire.call(call);
      count(answers, status);
      if (status !== 0) continue;
      wire.close();
      wire = new Wire(server);
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: most }, one));
}

/** The calls of some seconds, or few of them in a small run. */
function timed({ size }: AttackContext, few: number, call: (index: number) => Call) {
  const endsAt = performance.now() + size(ATTACK_MS, Infinity);
  const most = size(Infinity, few);
  let index = 0;
  return (): Call | undefined =>
    index < most && performance.now() < endsAt ? call(index++) : undefined;
}

/** So many calls. */
function several(most: number, call: (index: number) => Call) {
  let index = 0;
  return (): Call | undefined => (index < most ? call(index++) : undefined);
}

/** ConfigMaps with labels and a little data. Rejects when one is refused. */
export async function createMany(context: AttackContext): Promise<void> {
  const { random, size } = context;
  const answers: Answers = new Map();
  const call = (index: number): Call => ({
    method: 'POST',
    path: CONFIG_MAPS,
    body: JSON.stringify({
      ...CONFIG_MAP,
      metadata: { name: `many-${index}`, labels: { app: `app-${random.below(100)}`, k: 'none' } },
      data: { setting: 'a value that a program reads '.repeat(6) },
    }),
  });
  await clients(context, CLIENTS, several(size(...MANY_OBJECTS), call), answers);
  expectOnly(answers, 201);
}

function expectOnly(answers: Answers, status: number): void {
  const others = [...answers.keys()].filter((one) => one !== status);
  if (others.length > 0) throw new Error(`objects were not made: ${others.join(', ')}`);
}

/** One client, one call again and again. */
function repeated(what: string, call: (context: AttackContext) => Call): Scenario {
  return {
    what,
    collection: CONFIG_MAPS,
    object: CONFIG_MAP,
    hasManyObjects: true,
    attack: async (context, answers) => {
      const asked = call(context);
      await clients(
        context,
        1,
        timed(context, 1, () => asked),
        answers,
      );
    },
  };
}

/** As short as a client may write it: there is a bound on paths. */
function inQuery(selector: string): string {
  return selector.replaceAll(' ', '%20');
}

function selected(selector: string): Call {
  return { path: `${CONFIG_MAPS}?limit=1&labelSelector=${inQuery(selector)}` };
}

function listed(what: string, accept: string): Scenario {
  return repeated(`one client lists them all as ${what}`, () => ({ path: CONFIG_MAPS, accept }));
}

/** Opens so many watches at once; the caller closes them. */
async function openWatches(
  { server }: AttackContext,
  length: number,
  queryOf: (index: number) => string,
  answers: Answers,
): Promise<readonly Wire[]> {
  const wires = Array.from({ length }, () => new Wire(server));
  const open = async (wire: Wire, index: number): Promise<void> => {
    count(answers, await wire.open({ path: `${CONFIG_MAPS}?watch=true${queryOf(index)}` }));
  };
  await Promise.all(wires.map(open));
  return wires;
}

const watchSelectors: Scenario = {
  what: 'watches with 300 requirements each, while objects are written',
  collection: CONFIG_MAPS,
  object: CONFIG_MAP,
  attack: async (context, answers) => {
    const { size } = context;
    const requirements = numbered(size(299, 20), (index) => `!z${index}`).join(',');
    const query = (index: number): string =>
      `&labelSelector=${inQuery(`!of-${index},${requirements}`)}`;
    const wires = await openWatches(context, size(2_000, 20), query, answers);
    const write = (index: number): Call => ({
      method: 'POST',
      path: CONFIG_MAPS,
      body: JSON.stringify({ ...CONFIG_MAP, metadata: { name: `written-${index}` } }),
    });
    await clients(context, 1, timed(context, 20, write), answers);
    for (const wire of wires) wire.close();
  },
};

const watchOpens: Scenario = {
  what: 'many watches are opened at once',
  collection: CONFIG_MAPS,
  object: CONFIG_MAP,
  attack: async (context, answers) => {
    const wires = await openWatches(context, context.size(19_500, 100), () => '', answers);
    for (const wire of wires) wire.close();
  },
};

function largeConfigMap(context: AttackContext, name: string, length: number): Call {
  const data = { text: largeText(context.random, length) };
  const body = JSON.stringify({ ...CONFIG_MAP, metadata: { name }, data });
  return { method: 'POST', path: CONFIG_MAPS, body };
}

const bigCreates: Scenario = {
  what: 'many clients create ConfigMaps of almost 1 MiB',
  collection: CONFIG_MAPS,
  object: CONFIG_MAP,
  attack: async (context, answers) => {
    const { size } = context;
    const bytes = size(1_000_000, 50_000);
    const mark = '#'.repeat(12);
    const { body = '', ...call } = largeConfigMap(context, `big-${mark}`, bytes);
    const create = (index: number): Call => {
      return { ...call, body: body.replace(mark, String(index).padStart(12, '0')) };
    };
    await clients(context, size(64, 4), timed(context, 12, create), answers);
  },
};

const deleteCollection: Scenario = {
  what: 'a collection of large objects is deleted',
  collection: CONFIG_MAPS,
  object: CONFIG_MAP,
  prepare: async (context) => {
    const { size } = context;
    const answers: Answers = new Map();
    const call = (index: number): Call => {
      const { body = '', ...rest } = largeConfigMap(context, `big-${index}`, size(500_000, 20_000));
      return { ...rest, body: body.replace('"metadata":{', '"metadata":{"labels":{"a":"b"},') };
    };
    await clients(context, 4, several(size(300, 10), call), answers);
    expectOnly(answers, 201);
  },
  attack: async (context, answers) => {
    const call = { method: 'DELETE', path: `${CONFIG_MAPS}?labelSelector=a%3Db` };
    await clients(
      context,
      1,
      several(1, () => call),
      answers,
    );
  },
};

const slowBodies: Scenario = {
  what: 'many connections send most of a body of 3 MiB and then a byte at a time',
  collection: CONFIG_MAPS,
  object: CONFIG_MAP,
  attack: async ({ server, size }, answers) => {
    const body = Buffer.alloc(size(2_900 * 1024, 100 * 1024), 'a');
    const head =
      `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
      `Authorization: Bearer ${server.token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${3 * 1024 * 1024}\r\n\r\n`;
    const pauses = size(10, 2);
    const one = async (wire: Wire): Promise<void> => {
      await wire.write(Buffer.from(head));
      await wire.write(body);
      for (let pause = 0; pause < pauses; pause++) {
        await new Promise((resolve) => setTimeout(resolve, size(400, 10)));
        await wire.write(Buffer.from('a'));
      }
      count(answers, wire.status);
      wire.close();
    };
    const wires = Array.from({ length: size(1_000, 20) }, () => new Wire(server));
    await Promise.all(wires.map(one));
  },
};

/** One client sends one kind of large body again and again, each for a new object. */
function largeBody(name: keyof typeof LARGE_BODIES): Scenario {
  const { what, collection, object, contentType, body } = LARGE_BODIES[name];
  return {
    what,
    collection,
    object,
    attack: async (context, answers) => {
      const mark = `${name.toLowerCase()}-${'#'.repeat(6)}`;
      const text = body(context, mark);
      const create = (index: number): Call => {
        const named = text.replace(mark, mark.replace(/#+/, String(index)));
        return { method: 'POST', path: collection, contentType, body: named };
      };
      await clients(context, 1, timed(context, 2, create), answers);
    },
  };
}

/** Some clients who have no rights ask what they may do, all the time. */
function reviews(name: keyof typeof REVIEWS): Scenario {
  const { what, contentType, body } = REVIEWS[name];
  return {
    what: `clients without rights post ${what}`,
    collection: CONFIG_MAPS,
    object: CONFIG_MAP,
    attack: async (context, answers) => {
      const path = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';
      const text = body(context);
      const call = { method: 'POST', path, contentType, body: text, isOfNobody: true };
      await clients(
        context,
        10,
        timed(context, 10, () => call),
        answers,
      );
    },
  };
}

/** For each object one patch adds finalizers, one more of which half are there, one takes all. */
const finalizers: Scenario = {
  what: 'strategic patches with 20,000 finalizers',
  collection: CONFIG_MAPS,
  object: CONFIG_MAP,
  attack: async (context, answers) => {
    const next = timed(context, 4, (index) => {
      const name = `patched-${Math.floor(index / 4)}`;
      const step = index % 4;
      const body = JSON.stringify({ ...CONFIG_MAP, metadata: { name } });
      if (step === 0) return { method: 'POST', path: CONFIG_MAPS, body };
      return { method: 'PATCH', path: `${CONFIG_MAPS}/${name}`, ...finalizerPatch(context, step) };
    });
    await clients(context, 1, next, answers);
  },
};

/** Each client changes one key of the same large object again and again. */
const largeObject: Scenario = {
  what: 'many clients send small patches of a Secret with 50,000 keys',
  collection: LARGE_BODIES.secretKeys.collection,
  object: LARGE_BODIES.secretKeys.object,
  prepare: async (context) => {
    const { collection, contentType, body } = LARGE_BODIES.secretKeys;
    const answers: Answers = new Map();
    const call = { method: 'POST', path: collection, contentType, body: body(context, 'large') };
    await clients(
      context,
      1,
      several(1, () => call),
      answers,
    );
    expectOnly(answers, 201);
  },
  attack: async (context, answers) => {
    const { size } = context;
    const patch = (index: number): Call => ({
      method: 'PATCH',
      path: `${LARGE_BODIES.secretKeys.collection}/large`,
      contentType: 'application/merge-patch+json',
      body: JSON.stringify({ data: { 'key-1': Buffer.from(String(index)).toString('base64') } }),
    });
    await clients(context, size(64, 4), timed(context, 12, patch), answers);
  },
};

/** By name. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'selector-not': repeated('9,000 requirements that keys are absent', ({ size }) =>
    selected(numbered(size(9_000, 500), (index) => `!z${index}`).join(',')),
  ),
  'selector-set': repeated('a requirement of one of 9,000 values', ({ size }) =>
    selected(`k in (${numbered(size(9_000, 500), (index) => `v${index}`).join(',')})`),
  ),
  'watch-selectors': watchSelectors,
  'list-table': listed('a Table', TABLE),
  'list-yaml': listed('YAML', YAML),
  'list-json': listed('JSON', 'application/json'),
  'big-creates': bigCreates,
  'watch-opens': watchOpens,
  'delete-collection': deleteCollection,
  'owner-references': largeBody('ownerReferences'),
  finalizers,
  yaml: largeBody('yaml'),
  'reviews-json': reviews('json'),
  'reviews-yaml': reviews('yaml'),
  'reviews-nested': reviews('nested'),
  'secret-keys': largeBody('secretKeys'),
  'match-expressions': largeBody('matchExpressions'),
  'large-object': largeObject,
  'slow-bodies': slowBodies,
};
