// How lists, maps and messages of the schema are seen by owners of fields.
import t from 'tap';
import { model as MODEL } from '../../codec/proto-model.ts';
import { compileFieldTypes } from '../../../src/semantics/fields/field-types.ts';
import type { FieldType, StructField } from '../../../src/semantics/fields/field-types.ts';

/** The field at a path; `*` stands for the items of a list or a map. */
function fieldAt(message: string, path: string): StructField {
  let type: FieldType = compileFieldTypes(MODEL, message);
  let found: StructField | undefined;
  for (const name of path.split('.')) {
    if (name === '*' && (type.kind === 'list' || type.kind === 'map')) type = type.item;
    else if (type.kind === 'struct' && !type.isPlain) {
      found = type.field(name);
      if (found === undefined) throw new Error(`${message} has no ${path}`);
      type = found.type;
    }
  }
  if (found === undefined) throw new Error(`${path} is no field`);
  return found;
}

function typeText(type: FieldType): string {
  switch (type.kind) {
    case 'scalar':
      return type.leaf;
    case 'untyped':
      return 'untyped';
    case 'struct':
      return type.isAtomic ? 'atomic struct' : 'struct';
    case 'map':
      return `${type.isAtomic ? 'atomic ' : ''}map of ${typeText(type.item)}`;
    case 'list': {
      const keys = type.keys.length === 0 ? '' : ` by ${type.keys.join(', ')}`;
      return `${type.relation}${keys} of ${typeText(type.item)}`;
    }
  }
}

t.test('relations', async (t) => {
  for (const [message, path, text] of [
    ['core.v1.Pod', 'apiVersion', 'string'],
    ['core.v1.Pod', 'spec', 'struct'],
    ['core.v1.Pod', 'spec.containers', 'map by name of struct'],
    ['core.v1.Pod', 'spec.containers.*.ports', 'map by containerPort, protocol of struct'],
    ['core.v1.Pod', 'spec.containers.*.args', 'atomic of string'],
    ['core.v1.Pod', 'spec.containers.*.resources.limits', 'map of Quantity'],
    ['core.v1.Pod', 'spec.imagePullSecrets', 'map by name of atomic struct'],
    ['core.v1.Pod', 'spec.nodeSelector', 'atomic map of string'],
    ['core.v1.Pod', 'spec.tolerations', 'atomic of struct'],
    ['core.v1.Pod', 'metadata.labels', 'map of string'],
    ['core.v1.Pod', 'metadata.finalizers', 'set of string'],
    ['core.v1.Pod', 'metadata.ownerReferences', 'map by uid of atomic struct'],
    ['core.v1.Pod', 'spec.containers.*.env.*.valueFrom.fieldRef', 'atomic struct'],
    ['core.v1.PersistentVolume', 'spec.claimRef', 'atomic struct'],
    ['core.v1.PersistentVolumeClaim', 'spec.dataSource', 'atomic struct'],
    ['core.v1.Service', 'spec.ports', 'map by port, protocol of struct'],
    ['apps.v1.Deployment', 'spec.selector', 'atomic struct'],
    ['apps.v1.ControllerRevision', 'data', 'untyped'],
    ['discovery.v1.EndpointSlice', 'endpoints.*.addresses', 'set of string'],
    ['certificates.v1.CertificateSigningRequest', 'spec.extra', 'map of untyped'],
  ] as const) {
    t.equal(typeText(fieldAt(message, path).type), text, `${message} ${path}`);
  }
});

t.test('what JSON shows of absent fields', async (t) => {
  for (const [message, path, zero, keepsZero, dropsZero] of [
    ['core.v1.Pod', 'kind', undefined, false, true],
    ['core.v1.Pod', 'spec', {}, false, false],
    ['core.v1.Pod', 'spec.containers', null, false, false],
    ['core.v1.Pod', 'spec.containers.*.name', '', false, false],
    ['core.v1.Pod', 'spec.containers.*.image', undefined, false, true],
    ['core.v1.Pod', 'spec.terminationGracePeriodSeconds', undefined, true, false],
    ['core.v1.Pod', 'metadata.creationTimestamp', null, false, false],
    ['apps.v1.Deployment', 'spec.selector', null, true, false],
    ['apps.v1.Deployment', 'spec.replicas', undefined, true, false],
    ['autoscaling.v2beta1.HorizontalPodAutoscaler', 'spec.metrics', undefined, false, true],
  ] as const) {
    const field = fieldAt(message, path);
    t.same([field.zero, field.keepsZero, field.dropsZero], [zero, keepsZero, dropsZero], path);
  }
  const claim = 'spec.volumeClaimTemplates.*';
  t.equal(fieldAt('apps.v1.StatefulSet', `${claim}.kind`).zero, 'PersistentVolumeClaim');
  t.equal(fieldAt('apps.v1.StatefulSet', `${claim}.apiVersion`).zero, 'v1');
});

t.test('keys have their defaults, fields their elements and order', async (t) => {
  const ports = fieldAt('core.v1.Pod', 'spec.containers.*.ports').type;
  if (ports.kind !== 'list') throw new Error('ports are a list');
  t.same(
    ports.keyFields.map(({ name, text, default: value, zero }) => [name, text, value, zero]),
    [
      ['containerPort', '"containerPort":', undefined, 0],
      ['protocol', '"protocol":', 'TCP', undefined],
    ],
  );
  const { fields } = compileFieldTypes(MODEL, 'core.v1.Pod');
  t.same(
    fields.map(({ element }) => element),
    ['f:apiVersion', 'f:kind', 'f:metadata', 'f:spec', 'f:status'],
  );
});

t.test('each message compiles once, and messages may contain themselves', async (t) => {
  const pod = compileFieldTypes(MODEL, 'core.v1.Pod');
  t.equal(compileFieldTypes(MODEL, 'core.v1.Pod'), pod);
  const deployment = compileFieldTypes(MODEL, 'apps.v1.Deployment');
  t.equal(deployment.field('metadata')?.type, pod.field('metadata')?.type);
  const schema = fieldAt(
    'apiextensions.v1.CustomResourceDefinition',
    'spec.versions.*.schema.openAPIV3Schema',
  ).type;
  if (schema.kind !== 'struct') throw new Error('a schema is a message');
  const properties = schema.field('properties')?.type;
  t.ok(properties?.kind === 'map' && properties.item === schema);
});

t.test('what an object with some members shows', async (t) => {
  const type = fieldAt('core.v1.Pod', 'spec.containers').type;
  const container = type.kind === 'list' ? type.item : type;
  if (container.kind !== 'struct' || container.isPlain) throw new Error('a container is a message');
  const shown = container.writtenOf(['image', 'args', 'unknown']);
  t.same(shown.elements, ['f:args', 'f:image', 'f:name', 'f:resources']);
  t.equal(container.writtenOf(['image', 'args', 'unknown']), shown);
});
