/** Bodies that are small enough to be taken, and take long to read or to check. */
import type { Random } from '../../test/support/random.ts';
import type { AttackContext } from './attack-context.ts';
import type { Call } from './wire.ts';

interface LargeBody {
  readonly what: string;
  readonly collection: string;
  /** A small object of the kind. */
  readonly object: object;
  readonly contentType: string;
  readonly body: (context: AttackContext, name: string) => string;
}

const JSON_TYPE = 'application/json';
const CONFIG_MAP = { kind: 'ConfigMap', apiVersion: 'v1' };
const SECRET = { kind: 'Secret', apiVersion: 'v1' };
const BUDGET = { kind: 'PodDisruptionBudget', apiVersion: 'policy/v1' };

/** So many texts. */
export function numbered(length: number, text: (index: number) => string): string[] {
  return Array.from({ length }, (_, index) => text(index));
}

function entries(length: number, value: (index: number) => unknown): unknown[] {
  return Array.from({ length }, (_, index) => value(index));
}

/** Letters and digits. */
export function largeText(random: Random, length: number): string {
  let text = '';
  while (text.length < length) text += random.fraction().toString(36).slice(2);
  return text.slice(0, length);
}

export const LARGE_BODIES = {
  ownerReferences: {
    what: 'creates with 15,000 ownerReferences',
    collection: '/api/v1/namespaces/default/configmaps',
    object: CONFIG_MAP,
    contentType: JSON_TYPE,
    body: ({ size }, name) => {
      const ownerReferences = entries(size(15_000, 300), (index) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: `owner-${index}`,
        uid: `uid-${index}`,
      }));
      return JSON.stringify({ ...CONFIG_MAP, metadata: { name, ownerReferences } });
    },
  },
  yaml: {
    what: 'creates with 18,000 keys in 250 KB of YAML',
    collection: '/api/v1/namespaces/default/configmaps',
    object: CONFIG_MAP,
    contentType: 'application/yaml',
    body: ({ size }, name) => {
      const data = entries(size(18_000, 300), (index) => `  k${index}: abc\n`).join('');
      return `kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: ${name}\ndata:\n${data}`;
    },
  },
  secretKeys: {
    what: 'creates of Secrets with 50,000 keys',
    collection: '/api/v1/namespaces/default/secrets',
    object: SECRET,
    contentType: JSON_TYPE,
    body: ({ size, random }, name) => {
      const values = entries(size(50_000, 1_000), (index) => {
        return [`key-${index}`, Buffer.from(String(random.below(100))).toString('base64')];
      });
      const data = Object.fromEntries(values as [string, string][]);
      return JSON.stringify({ ...SECRET, metadata: { name }, data });
    },
  },
  matchExpressions: {
    what: 'creates with 20,000 matchExpressions',
    collection: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    object: { ...BUDGET, spec: {} },
    contentType: JSON_TYPE,
    body: ({ size }, name) => {
      const matchExpressions = entries(size(20_000, 300), (index) => ({
        key: `key-${index}`,
        operator: 'In',
        values: ['a'],
      }));
      const spec = { minAvailable: 1, selector: { matchExpressions } };
      return JSON.stringify({ ...BUDGET, metadata: { name }, spec });
    },
  },
} as const satisfies Record<string, LargeBody>;

const REVIEW = {
  kind: 'SelfSubjectAccessReview',
  apiVersion: 'authorization.cluster.io/v1',
  spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
};

/** Everybody who is known may post these, which are about as long as they may be. */
export const REVIEWS = {
  json: {
    what: 'reviews with 4,000 labels in 60 KB of JSON',
    contentType: JSON_TYPE,
    body: ({ size }: AttackContext): string => {
      const labels = numbered(size(4_000, 100), (index) => `"k${index}":"v"`);
      return `${JSON.stringify(REVIEW).slice(0, -1)},"metadata":{"labels":{${labels.join(',')}}}}`;
    },
  },
  yaml: {
    what: 'reviews with 6,000 values in 36 KB of YAML',
    contentType: 'application/yaml',
    body: ({ size }: AttackContext): string => {
      const members = Object.entries(REVIEW).map(([key, of]) => `${key}: ${JSON.stringify(of)}\n`);
      return `${members.join('')}unknown: [${'a: b, '.repeat(size(6_000, 100))}]\n`;
    },
  },
  nested: {
    what: 'reviews in 8 KB of YAML that nests as deep as it is long',
    contentType: 'application/yaml',
    body: ({ size }: AttackContext): string => '? '.repeat(size(4_000, 1_000)),
  },
} as const;

/** Strategic merge patches of a list of values: the first, second and third of an object. */
export function finalizerPatch(
  { size }: AttackContext,
  step: number,
): Pick<Call, 'contentType' | 'body'> {
  const length = size(20_000, 300);
  const first = step === 2 ? length / 2 : 0;
  const items = entries(length, (index) => `example.com/finalizer-${first + index}`);
  const metadata =
    step === 3 ? { '$deleteFromPrimitiveList/finalizers': items } : { finalizers: items };
  const body = JSON.stringify({ metadata });
  return { contentType: 'application/strategic-merge-patch+json', body };
}
