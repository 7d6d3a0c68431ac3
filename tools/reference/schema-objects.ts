/** Random values as a structural schema asks for them: most are valid, not all. */
import { oneOf } from '../../test/support/mutate.ts';
import type { Random } from '../../test/support/random.ts';
import type { SchemaJson } from './public-definitions.ts';

/** One that fits a pattern and a length is taken; so there are some for usual patterns. */
const TEXTS = [
  ['a', 'web-1', 'Ready', 'True', 'False', 'example.com', 'a.b.example.com', '*.example.com', '/'],
  [
    '/a/b',
    'example.com/name',
    'https://example.com/x?y=1',
    '30s',
    '1h0m0s',
    '1d',
    '10',
    '0',
    '1Gi',
  ],
  ['500m', '50%', '10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', 'v1.2.3', '2021-12-07T10:11:12Z'],
  ['YQ==', '11111111-1111-4111-8111-111111111111', 'a=b', 'two words', '日本語', 'HTTP', '200'],
  ['x'.repeat(60), 'x'.repeat(300), 'A_B', 'example.com:443', 'monday', '1:31', 'january', '10m5s'],
  ['ReplicaSet', 'us-east-1', '__proto__', '1MB', '09:00', 'naïve', '\u{1f600}\u0000', ''],
].flat();
const KEYS = ['a', 'b', 'example.com/c', 'app', '__proto__', 'constructor', '10', '9', ''] as const;
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2021-12-07T10:11:12Z', '2021-12-07T10:11:12.5+01:00', '2021-12-07t10:11:12z', 'a'],
  date: ['2021-12-07', '2021-13-07'],
  byte: ['YQ==', 'a b'],
  uri: ['https://example.com/a', 'a b', '/a'],
  ipv4: ['10.0.0.1', '::1', '010.0.0.1'],
  ipv6: ['::1', '10.0.0.1'],
  hostname: ['example.com', '-a'],
  email: ['a@example.com', 'a'],
  duration: ['1h', '30s', '1 day', 'x'],
};
const ANYTHING = [
  null,
  true,
  0,
  1.5,
  -1,
  'a',
  '',
  [],
  {},
  [1, 'a', null],
  { a: { b: [{}] } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } },
] as const;
const INT_OR_STRING = [8080, 0, -1, 1.5, '25%', 'http', '8080', '500m', '1Gi', ''] as const;
/** More values than these an object has only where they are required. */
const VALUES_MAX = 120;

/** A value of the schema: a whole object, its status, or any part. */
export function schemaValue(schema: SchemaJson, random: Random): unknown {
  return new Generator(random).value(schema, 0);
}

class Generator {
  readonly #random: Random;
  #left = VALUES_MAX;

  constructor(random: Random) {
    this.#random = random;
  }

  value(given: SchemaJson, depth: number): unknown {
    this.#left -= 1;
    const random = this.#random;
    const schema = withBranch(given, random);
    if (schema.nullable === true && this.#oneIn(6)) return null;
    if (schema.enum !== undefined) return oneOf(schema.enum as unknown[], random);
    if (schema['x-kubernetes-int-or-string'] === true) return this.#intOrString(schema);
    switch (schema.type) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#array(schema, depth);
      case 'string':
        return this.#text(schema);
      case 'integer':
      case 'number':
        return this.#number(schema);
      case 'boolean':
        return this.#oneIn(2);
      default:
        return oneOf(ANYTHING, random);
    }
  }

  #object(schema: SchemaJson, depth: number): unknown {
    const random = this.#random;
    const { properties = {}, additionalProperties, required = [] } = schema;
    // Any name is one of the object's own.
    const object = Object.create(null) as Record<string, unknown>;
    for (const [name, member] of Object.entries(properties)) {
      const isThere = required.includes(name) || (this.#left > 0 && this.#oneIn(2 + depth));
      if (isThere) object[name] = this.value(member, depth + 1);
    }
    if (typeof additionalProperties === 'object') {
      const size = (schema.minProperties ?? 0) + (this.#left > 0 ? random.below(3) : 0);
      for (let count = 0; count < size; count += 1) {
        object[oneOf(KEYS, random)] = this.value(additionalProperties, depth + 1);
      }
    }
    const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
    if (isOpen || this.#oneIn(40)) object[oneOf(KEYS, random)] = oneOf(ANYTHING, random);
    if (schema['x-kubernetes-embedded-resource'] === true) {
      Object.assign(object, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    }
    return object;
  }

  #array(schema: SchemaJson, depth: number): unknown[] {
    const { minItems = 0, maxItems = minItems + 3, items = {} } = schema;
    const more = this.#left > 0 ? this.#random.below(Math.min(maxItems, minItems + 2) + 1) : 0;
    const length = Math.max(minItems, more);
    return Array.from({ length }, () => this.value(items, depth + 1));
  }

  #text({ pattern, format, minLength = 0, maxLength = Infinity }: SchemaJson): string {
    const random = this.#random;
    const ofFormat = FORMATS[format ?? ''];
    if (ofFormat !== undefined) return oneOf([ofFormat[0], ...ofFormat], random) ?? '';
    const pool = [...TEXTS, 'x'.repeat(Math.min(minLength, 500))];
    const fits = (text: string): boolean =>
      text.length >= minLength &&
      text.length <= maxLength &&
      (pattern === undefined || matches(pattern, text));
    const fitting = pool.filter(fits);
    return oneOf(fitting.length > 0 && !this.#oneIn(25) ? fitting : pool, random);
  }

  #number(schema: SchemaJson): number {
    const random = this.#random;
    const { minimum, maximum, type, multipleOf } = schema;
    if (minimum === undefined && maximum === undefined && multipleOf === undefined) {
      if (type === 'number') return oneOf([0, 1, 1.5, -0.25, 1e21, 5e-324], random);
      return oneOf([0, 1, 80, -1, 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER], random);
    }
    const low = minimum ?? Math.min(0, maximum ?? 0);
    const high = Math.min(maximum ?? low + 1_000, low + 100_000);
    return low + random.below(high - low + 1);
  }

  #intOrString({ pattern }: SchemaJson): unknown {
    const isFitting = (value: unknown): boolean =>
      typeof value === 'number' || pattern === undefined || matches(pattern, String(value));
    const fitting = INT_OR_STRING.filter(isFitting);
    return oneOf(fitting.length > 0 && !this.#oneIn(20) ? fitting : INT_OR_STRING, this.#random);
  }

  #oneIn(count: number): boolean {
    return this.#random.below(count) === 0;
  }
}

/** With what one of its alternatives asks for in addition. */
function withBranch(schema: SchemaJson, random: Random): SchemaJson {
  const branches: SchemaJson[] = [
    ...(schema.oneOf === undefined ? [] : [oneOf(schema.oneOf, random)]),
    ...(schema.anyOf === undefined ? [] : [oneOf(schema.anyOf, random)]),
    ...(schema.allOf ?? []),
  ];
  return branches.reduce((all, branch) => {
    const { required = [], properties = {}, type: _type, ...others } = branch;
    const members = Object.entries(properties).map(([name, member]) => [
      name,
      { ...all.properties?.[name], ...(member as object) },
    ]);
    return {
      ...all,
      ...others,
      required: [...(all.required ?? []), ...required],
      properties: { ...all.properties, ...Object.fromEntries(members) },
    };
  }, schema);
}

const patterns = new Map<string, RegExp | undefined>();

/** By the pattern as JavaScript reads it; what it cannot read nothing fits. */
function matches(pattern: string, text: string): boolean {
  if (!patterns.has(pattern)) patterns.set(pattern, compiled(pattern));
  return patterns.get(pattern)?.test(text) ?? false;
}

function compiled(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}
