/**
 * Measures what a schema costs the write path of a custom resource, without store and hops: an
 * object of 1 KB under a schema of 20 fields, step by step and all together; and the first object
 * under a large schema.
 */
import { join } from 'node:path';
import { loadSchemaModel } from '../src/codec/model/proto-schema.ts';
import { applyDefaults, dropNulls } from '../src/schema/defaults.ts';
import { EmbeddedResources } from '../src/schema/embedded-metadata.ts';
import { schemaFieldTypes } from '../src/schema/field-types.ts';
import { listErrors } from '../src/schema/lists.ts';
import { prune } from '../src/schema/prune.ts';
import { StructuralSchema, type SchemaJson } from '../src/schema/structural-schema.ts';
import { parseUnstructured, unstructuredText } from '../src/schema/unstructured.ts';
import { compileValueValidator } from '../src/schema/validate.ts';
import { compareFields } from '../src/semantics/fields/compare-fields.ts';
import { compileMessageFields } from '../src/semantics/fields/field-types.ts';
import { readProtoFolder } from '../tools/read-proto.ts';
import { measure, microOptions, report } from './micro.ts';

type Document = Record<string, unknown>;

const STRING = { type: 'string' };
const NAME = { type: 'string', maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' };
const PORT = { type: 'integer', format: 'int32', minimum: 1, maximum: 65_535 };
const LABELS = { type: 'object', additionalProperties: STRING };
const struct = (properties: SchemaJson, required: readonly string[] = []): SchemaJson => ({
  type: 'object',
  properties,
  required,
});

/** 20 fields that hold values, as those of a workload that an operator runs. */
const SCHEMA = struct({
  apiVersion: STRING,
  kind: STRING,
  metadata: { type: 'object' },
  spec: struct(
    {
      replicas: { type: 'integer', minimum: 0, default: 1 },
      image: { type: 'string', minLength: 1 },
      policy: { type: 'string', enum: ['Always', 'IfNotPresent', 'Never'], default: 'Always' },
      paused: { type: 'boolean', default: false },
      weight: { type: 'number', minimum: 0, maximum: 1 },
      limit: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, STRING] },
      since: { type: 'string', format: 'date-time' },
      description: { type: 'string', maxLength: 1024 },
      labels: LABELS,
      selector: struct({ matchLabels: LABELS }),
      ports: {
        type: 'array',
        items: struct(
          { name: NAME, port: PORT, protocol: { ...STRING, default: 'TCP' }, targetPort: PORT },
          ['port'],
        ),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['port', 'protocol'],
      },
      arguments: { type: 'array', items: STRING },
      storage: struct({ class: NAME, size: STRING, retain: { type: 'boolean' } }, ['size']),
      settings: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
    ['image'],
  ),
});

const TEXT = JSON.stringify({
  apiVersion: 'example.com/v1',
  kind: 'Workload',
  metadata: { name: 'workload-0000000001', namespace: 'default', labels: { app: 'bench' } },
  spec: {
    arguments: ['--listen', ':8080', '--verbose'],
    description: 'what the workload is good for, in words that a person reads. '.repeat(5),
    image: 'registry.example.com/team/workload:1.2.3',
    labels: { app: 'bench', tier: 'data', release: 'stable' },
    limit: '50%',
    ports: [
      { name: 'http', port: 80, targetPort: 8080 },
      { name: 'metrics', port: 9090, protocol: 'TCP' },
    ],
    replicas: 3,
    selector: { matchLabels: { app: 'bench', tier: 'data' } },
    settings: { cache: { size: 100, policies: ['lru', 'ttl'] }, debug: false },
    since: '2024-01-01T00:00:00Z',
    storage: { class: 'fast', retain: true, size: '10Gi' },
    weight: 0.5,
  },
});

/** A schema of about 800 KB, as those of operators that embed pods. */
function largeSchema(depth: number): SchemaJson {
  if (depth === 0) return { ...NAME, description: 'what the value is for, in a sentence or two. ' };
  const names = Array.from({ length: 8 }, (_, at) => `field${at}`);
  return struct(Object.fromEntries(names.map((name) => [name, largeSchema(depth - 1)])));
}

const options = microOptions();
const schema = new StructuralSchema(SCHEMA);
const model = loadSchemaModel(readProtoFolder(join(import.meta.dirname, '../proto')));
const fields = schemaFieldTypes(schema, compileMessageFields(model, 'meta.v1.ObjectMeta'));
const embedded = new EmbeddedResources(model);
const validate = compileValueValidator(schema);

const read = (): Document => parseUnstructured(TEXT) as Document;

/** All that is made of a body, until it is known to be valid. */
function prepared(): Document {
  const object = read();
  prune(schema, object);
  dropNulls(schema, object);
  embedded.coerce(schema, object);
  applyDefaults(schema, object);
  return object;
}

function errorCount(object: Document): number {
  const values = validate(object, '').length;
  return values + embedded.errors(schema, object).length + listErrors(schema, object).length;
}

const object = prepared();
const errors = errorCount(object);
if (errors > 0) throw new Error(`the object has ${errors} errors`);
const changed = prepared();
(changed['spec'] as Document)['replicas'] = 4;
const large = { spec: Array.from({ length: 4 }).reduce((below) => ({ field1: below }), 'a') };
const largeText = JSON.stringify(struct({ spec: largeSchema(4) }));

report('custom-objects', options, [
  measure(`parse ${TEXT.length} bytes`, options, read),
  measure('prune what has nothing to prune', options, () => prune(schema, object)),
  measure('drop nulls where there are none', options, () => dropNulls(schema, object)),
  measure('set defaults where all are there', options, () => applyDefaults(schema, object)),
  measure('validate values', options, () => validate(object, '')),
  measure('check lists', options, () => listErrors(schema, object)),
  measure('compare fields of an update', options, () => compareFields(fields, object, changed)),
  measure('write text', options, () => unstructuredText(object)),
  measure('all of a create', options, () => {
    const created = prepared();
    errorCount(created);
    unstructuredText(created);
  }),
  measure(`first object under a schema of ${largeText.length >> 10} KB, parsed`, options, () => {
    const first = new StructuralSchema(JSON.parse(largeText) as SchemaJson);
    prune(first, large);
    applyDefaults(first, large);
    if (compileValueValidator(first)(large, '').length > 0) throw new Error('it is invalid');
  }),
]);
