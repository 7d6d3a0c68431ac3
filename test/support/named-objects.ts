/** Objects of all kinds with names that both dialects have, and the records of such objects. */
import type { SchemaModel } from '../../src/codec/model/schema-model.ts';
import { ownersOfNew } from '../../src/types/field-owners.ts';
import type { ApiObject } from '../../src/resources/kind.ts';
import type { ResourceType } from '../../src/types/resource-type.ts';
import { sentManagedFields } from '../../src/semantics/fields/managed-fields.ts';
import { storedManagedFields } from '../../src/semantics/metadata/object-meta.ts';
import { encodeRecord, OPERATION } from '../../src/storage/record.ts';
import type { RecordDomain, RecordHeader } from '../../src/storage/record.ts';
import type { Random } from './random.ts';
import { documentText, randomObject } from './random-object.ts';

const NAMES = [
  'cluster-system',
  'kube-public',
  'cluster.io/tls',
  'kubernetes.io/tls',
  'kubernetes.io/metadata.name',
  'cluster.io/metadata.name',
  'topology.cluster.io/zone',
  'topology.kubernetes.io/zone',
  'example.com/between',
  'storage.cluster.io',
  'storage.k8s.io/v1',
  'leases.coordination.k8s.io',
  'v1.apps',
  'v1.node.cluster.io',
  'system:serviceaccount:cluster-system:a<b',
  'client.cluster.io/last-applied-configuration',
  'kubectl.kubernetes.io/last-applied-configuration',
  'Namespace',
  'cluster',
  'kubernetes',
  'Äpfel',
  '\u{1f600}',
  'a "b" \\ c',
] as const;
/** `randomObject` puts these where any text may stand. */
const REPLACED = new Set(['a', 'web-1', 'cluster.io/name', 'two words']);
const MANAGERS = ['client', 'kubectl', 'kube-apiserver', 'a', 'kubelet'] as const;

function named(random: Random, value: unknown): unknown {
  if (typeof value === 'string') return REPLACED.has(value) ? random.pick(NAMES) : value;
  if (Array.isArray(value)) return value.map((item) => named(random, item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.create(null) as Record<string, unknown>;
  for (const [name, member] of Object.entries(value)) {
    members[REPLACED.has(name) ? random.pick(NAMES) : name] = named(random, member);
  }
  return members;
}

/** An object as it is stored: with a name, and with managers that own its fields. */
export function namedObject(model: SchemaModel, kind: ResourceType, random: Random): ApiObject {
  const { message = '', namespaced } = kind.definition;
  const document = named(random, randomObject(model, message, random, { depth: 7 })) as {
    metadata?: { managedFields?: unknown };
  };
  delete document.metadata?.managedFields;
  const labels = named(random, { a: 'a', 'web-1': 'two words', b: 'a', 'two words': 'a' });
  document.metadata = {
    ...document.metadata,
    name: random.pick(NAMES),
    ...(namespaced && { namespace: random.pick(NAMES) }),
    ...(random.below(2) === 0 && { labels, annotations: labels }),
  } as object;
  if (!namespaced) delete (document.metadata as { namespace?: string }).namespace;
  const object = kind.stored.codec.decode(documentText(document)).object as ApiObject;
  for (let managers = random.below(4); managers > 0; managers--) own(kind, object, random);
  return object;
}

/** One manager more owns all fields. */
function own(kind: ResourceType, object: ApiObject, random: Random): void {
  const { metadata } = object;
  const given = sentManagedFields(JSON.parse(storedManagedFields(metadata) || '[]') as unknown[]);
  metadata.managedFields = undefined;
  metadata.managedFields = ownersOfNew(kind, object, given, {
    manager: random.pick(MANAGERS),
    apiVersion: kind.stored.groupVersion,
    subresource: '',
    time: random.pick(['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z']),
  });
}

/** The record that a write of the object makes. */
export function recordOf(kind: ResourceType, object: ApiObject, domain: RecordDomain): Buffer {
  const { metadata } = object;
  const { name = '', namespace, labels } = metadata;
  const header: RecordHeader = {
    operation: OPERATION.modified,
    timeMs: 1_700_000_000_000,
    previousRv: 7,
    key: namespace === undefined ? name : `${namespace}/${name}`,
    labels,
    fields: kind.fieldsOf(object),
    owners: [{ uid: 'u', blocks: true }],
    awaits: 1,
    managedFieldsLength: storedManagedFields(metadata).length,
    domain,
  };
  return encodeRecord(header, kind.stored.codec.encode(object));
}
