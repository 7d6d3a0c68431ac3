// The whole way of a write's checks, from the text of a manifest to its errors.
import t from 'tap';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import type { ApiObject, BuiltInKind } from '../../src/resources/kind.ts';
import { KINDS } from '../../src/resources/registry.ts';
import { builtInRules } from '../../src/types/built-in/built-in-type.ts';
import { compileValidators } from '../../src/semantics/validation/validator-compiler.ts';
import { SUBDOMAIN_HINT } from '../support/name-hints.ts';
import { MODEL, texts } from '../resources/kind-rules.ts';

const messages = KINDS.map(({ message }) => message);
const compiled = compileValidators(MODEL, messages);

/** As the write pipeline does it: decode, default, prepare. */
function prepared(kind: BuiltInKind, text: string): ApiObject {
  const codec = compileJsonCodec(MODEL, kind.message);
  const object = codec.decode(text).object as ApiObject;
  codec.applyDefaults(object);
  kind.applyDefaults?.(object, DEFAULT_GATES);
  if (kind.statusSubresource !== undefined) delete object['status'];
  kind.prepareForCreate?.(object, DEFAULT_GATES);
  if (kind.namespaced) object.metadata.namespace ??= 'default';
  return object;
}

t.test('an object that says nothing is told what it must say', async (t) => {
  const errorsOf = (name: string): string[] => {
    const kind = KINDS.find((candidate) => candidate.kind === name);
    if (kind === undefined) throw new Error(`no kind ${name}`);
    const object = prepared(kind, '{"metadata":{"name":"a"}}');
    return texts(builtInRules(kind, MODEL, compiled).validateCreate(object));
  };
  const nothing: readonly string[] = [];
  t.same(errorsOf('Namespace'), nothing);
  t.same(errorsOf('ConfigMap'), nothing);
  t.same(errorsOf('Secret'), nothing);
  t.same(errorsOf('Lease'), nothing);
  t.same(errorsOf('StorageClass'), ['provisioner: Required value']);
  t.same(errorsOf('CSIStorageCapacity'), [
    `storageClassName: Invalid value: "": ${SUBDOMAIN_HINT}`,
  ]);
  t.same(errorsOf('CronJob'), [
    'spec.schedule: Required value',
    'spec.jobTemplate.spec.template.spec.containers: Required value',
    'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: ' +
      'valid values: "OnFailure", "Never"',
  ]);
  t.same(errorsOf('PersistentVolume'), [
    'spec.accessModes: Required value',
    'spec.capacity: Required value',
    'spec.capacity: Unsupported value: {}: supported values: "storage"',
    'spec: Required value: must specify a volume type',
  ]);
  t.same(errorsOf('VolumeAttachment'), [
    'spec.attacher: Required value',
    'spec.source: Required value: ' +
      'must specify exactly one of inlineVolumeSpec and persistentVolumeName',
    `spec.nodeName: Invalid value: "": ${SUBDOMAIN_HINT}`,
    'spec.attacher: Required value',
    `spec.attacher: Invalid value: "": ${SUBDOMAIN_HINT}`,
  ]);
});

t.test('metadata comes first, then the schema, then the kind', async (t) => {
  const [kind] = KINDS.filter(({ kind }) => kind === 'CronJob');
  if (kind === undefined) throw new Error('no CronJob');
  const validator = builtInRules(kind, MODEL, compiled);
  const object = prepared(kind, '{"metadata":{"name":"a"},"spec":{"schedule":"x"}}');
  object.metadata.finalizers = ['mine'];
  object['spec'] = { ...(object['spec'] as object), failedJobsHistoryLimit: -1 };
  t.same(
    validator.validateCreate(object).map(({ field }) => field),
    [
      'metadata.finalizers[0]',
      'spec.jobTemplate.spec.template.spec.containers',
      'spec.failedJobsHistoryLimit',
      'spec.schedule',
      'spec.jobTemplate.spec.template.spec.restartPolicy',
    ],
  );
});
