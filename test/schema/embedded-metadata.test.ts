// Resources inside of resources: what of their metadata stays, and what is wrong with them.
import t from 'tap';
import { model as MODEL } from '../codec/proto-model.ts';
import { EmbeddedResources } from '../../src/schema/embedded-metadata.ts';
import { StructuralSchema } from '../../src/schema/structural-schema.ts';
import { parseUnstructured, unstructuredText } from '../../src/schema/unstructured.ts';

const EMBEDDED = new EmbeddedResources(MODEL);
const RESOURCE = { type: 'object', 'x-kubernetes-embedded-resource': true };
const SCHEMA = new StructuralSchema({
  type: 'object',
  properties: {
    one: RESOURCE,
    list: { type: 'array', items: RESOURCE },
    map: { type: 'object', additionalProperties: RESOURCE },
    plain: { type: 'object' },
    outer: { ...RESOURCE, properties: { inner: RESOURCE } },
    typed: { ...RESOURCE, properties: { metadata: { type: 'object' } } },
    nullable: { ...RESOURCE, properties: { metadata: { type: 'object', nullable: true } } },
  },
});
const read = (text: string): Record<string, unknown> => {
  return parseUnstructured(text) as Record<string, unknown>;
};

t.test('metadata is made to fit', async (t) => {
  for (const [text, expected] of [
    ['{"one":{"metadata":{"name":"n","foo":1}}}', '{"one":{"metadata":{"name":"n"}}}'],
    ['{"one":{"metadata":null}}', '{"one":{"metadata":{}}}'],
    ['{"one":{"metadata":{"name":"","labels":{}}}}', '{"one":{"metadata":{}}}'],
    [
      '{"one":{"metadata":{"creationTimestamp":"2021-12-07T10:11:12+01:00"}}}',
      '{"one":{"metadata":{"creationTimestamp":"2021-12-07T09:11:12Z"}}}',
    ],
    [
      '{"list":[{"metadata":{"kind":5}}],"map":{"k":{"metadata":{"b":1}}}}',
      '{"list":[{"metadata":{}}],"map":{"k":{"metadata":{}}}}',
    ],
    ['{"outer":{"inner":{"metadata":{"x":1}}}}', '{"outer":{"inner":{"metadata":{}}}}'],
    ['{"plain":{"metadata":{"x":1},"kind":5}}', '{"plain":{"metadata":{"x":1},"kind":5}}'],
    ['{"one":{"spec":1}}', '{"one":{"spec":1}}'],
    ['{"typed":{"metadata":null}}', '{"typed":{"metadata":null}}'],
    ['{"nullable":{"metadata":null}}', '{"nullable":{"metadata":{}}}'],
    ['{"one":5,"list":{"metadata":1},"map":null}', '{"one":5,"list":{"metadata":1},"map":null}'],
  ] as const) {
    const object = read(text);
    t.equal(EMBEDDED.coerce(SCHEMA, object), undefined, text);
    t.equal(unstructuredText(object), unstructuredText(read(expected)), text);
  }
});

t.test('values of a wrong type are refused, and go from what is stored', async (t) => {
  for (const [text, error, repaired] of [
    [
      '{"one":{"kind":5,"apiVersion":"v1"}}',
      'one.kind: Invalid value: 5: must be a string',
      '{"one":{"apiVersion":"v1"}}',
    ],
    [
      '{"list":[{},{"metadata":{"name":1,"labels":{"a":"b"}}}]}',
      'list[1].metadata: Invalid value: map[string]interface {}{"labels":map[string]interface {}{"a":"b"}, "name":1}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
      '{"list":[{},{"metadata":{"labels":{"a":"b"}}}]}',
    ],
    [
      '{"map":{"a.b":{"metadata":"x"}}}',
      'map[a.b].metadata: Invalid value: "x": json: cannot unmarshal string into Go value of type v1.ObjectMeta',
      '{"map":{"a.b":{"metadata":"x"}}}',
    ],
    [
      '{"outer":{"inner":{"apiVersion":null}}}',
      'outer.inner.apiVersion: Invalid value: "null": must be a string',
      '{"outer":{"inner":{}}}',
    ],
  ] as const) {
    const found = EMBEDDED.coerce(SCHEMA, read(text));
    t.equal(`${found?.field}: ${found?.message}`, error, text);
    const object = read(text);
    EMBEDDED.repair(SCHEMA, object);
    t.equal(unstructuredText(object), repaired, text);
  }
});

t.test('what a resource must have', async (t) => {
  const LABEL =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
  for (const [text, errors] of [
    ['{"one":{"apiVersion":"v1","kind":"Pod"},"plain":{}}', []],
    [
      '{"one":{}}',
      [
        'one.apiVersion: Required value: must not be empty',
        'one.kind: Required value: must not be empty',
      ],
    ],
    [
      '{"one":{"apiVersion":"a/b/c","kind":"a b"}}',
      [
        'one.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
        `one.kind: Invalid value: "a b": may have mixed case, but should otherwise match: ${LABEL}`,
      ],
    ],
    [
      '{"map":{"k":{"apiVersion":"","kind":"Pod","metadata":{"name":"a/b","generation":-1}}}}',
      [
        'map[k].apiVersion: Invalid value: "": must not be empty',
        `map[k].metadata.name: Invalid value: "a/b": may not contain '/'`,
        'map[k].metadata.generation: Invalid value: -1: must be greater than or equal to 0',
      ],
    ],
    [
      '{"list":[{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"n","clusterName":"a b"}}]}',
      [`list[0].metadata.clusterName: Invalid value: "a b": ${LABEL}`],
    ],
  ] as const) {
    const found = EMBEDDED.errors(SCHEMA, read(text));
    t.same(
      found.map(({ field, message }) => `${field}: ${message}`),
      errors,
      text,
    );
  }
});
