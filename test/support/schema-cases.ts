/** Random schemas of custom resources, and objects that fit them more or less. */
import fc from 'fast-check';
import type { SchemaJson } from '../../src/schema/structural-schema.ts';

/** Few, so that schemas and objects meet. */
const NAMES = ['a', 'b', 'c', 'kind', 'metadata', '__proto__', '10', '9'] as const;
const name = fc.constantFrom(...NAMES);

const SCALAR_TYPES = ['string', 'integer', 'number', 'boolean'] as const;

/** A JSON object with members of any name. */
function objectOf(members: readonly [string, unknown][]): SchemaJson {
  return Object.fromEntries(members);
}

const scalar = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'abc', '10', '2021-12-07'),
  fc.constantFrom(0, 1, -1, 10, 1.5, 2 ** 53 - 1),
  fc.constantFrom(9007199254740993n, -9223372036854775808n),
  fc.constantFrom(null, true, false),
);

const values = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'medium', withCrossShrink: true }, scalar, tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  map: fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map(objectOf),
}));

/** Values of any shape. */
export const VALUES: fc.Arbitrary<unknown> = values.value;

/** Objects with some members that schemas know. */
export const OBJECTS = values.map as fc.Arbitrary<Record<string, unknown>>;

const plainScalar = scalar.map((value) => (typeof value === 'bigint' ? 1 : value));
const flag = (member: string): fc.Arbitrary<SchemaJson> =>
  fc.constantFrom({}, {}, { [member]: true });

const schemas = fc.letrec<{ schema: SchemaJson; struct: SchemaJson }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .tuple(fc.constantFrom(...SCALAR_TYPES), flag('nullable'), fc.option(plainScalar))
      .map(([type, nullable, value]) => ({
        type,
        ...nullable,
        ...(value === null ? {} : { default: value }),
      })),
    fc.constant({ 'x-kubernetes-int-or-string': true }),
    fc.constant({ 'x-kubernetes-preserve-unknown-fields': true }),
    tie('struct'),
    fc
      .tuple(tie('schema'), flag('x-kubernetes-preserve-unknown-fields'))
      .map(([items, preserve]) => ({ type: 'array', items, ...preserve })),
    fc
      .oneof(tie('schema'), fc.boolean())
      .map((additionalProperties) => ({ type: 'object', additionalProperties })),
  ),
  struct: fc
    .tuple(
      fc.array(fc.tuple(name, tie('schema')), { maxLength: 5 }).map(objectOf),
      flag('x-kubernetes-preserve-unknown-fields'),
      flag('x-kubernetes-embedded-resource'),
      flag('nullable'),
    )
    .map(([properties, preserve, embedded, nullable]) => ({
      type: 'object',
      properties,
      ...preserve,
      ...embedded,
      ...nullable,
    })),
}));

/** Structural schemas of whole objects. */
export const SCHEMAS = schemas.struct;
