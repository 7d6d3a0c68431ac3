/** Binding: a pod is given its node, once (src/shard/README.md#binding). */
import { ownRelease } from '../../release/release.ts';
import {
  addProblems,
  invalidObject,
  notSupported,
  required,
} from '../../semantics/errors/field-error.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import type { BindCalls } from '../../protocol/bind-protocol.ts';
import { dnsSubdomain } from '../../semantics/metadata/names.ts';
import { badRequest } from '../../semantics/errors/status.ts';
import { readAsked, sendDone } from './body.ts';
import type { Operation, OperationKind, OperationRequest } from '../operation.ts';
import { askOwn, PODS } from './shard-requests.ts';

const BINDING: OperationKind = {
  group: '',
  version: 'v1',
  kind: 'Binding',
  message: 'core.v1.Binding',
};

interface Target {
  readonly kind?: string;
  readonly name?: string;
}

/** `pods/{name}/binding`, and `bindings`, where the body names the pod. */
export const bindPod: Operation = {
  methods: ['post'],
  describedAs: { kind: { kind: 'Binding' }, action: 'create' },
  serve: bind,
};

async function bind(request: OperationRequest): Promise<void> {
  const { namespace, name } = request.route;
  const { object, dryRun } = await readAsked(request, BINDING);
  const { name: podName = '', uid = '', resourceVersion = '' } = object.metadata;
  const { annotations = {}, labels = {} } = object.metadata;
  if (name !== '' && name !== podName) {
    throw badRequest('name in URL does not match name in Binding object');
  }
  const node = (object['target'] ?? {}) as Target;
  const errors = validate(node);
  if (errors.length > 0) throw invalidObject('', 'Binding', podName, errors);
  if (podName === '') throw badRequest('Name parameter required.');
  const { name: nodeName = '' } = node;
  const target = { namespace, name: podName, uid, resourceVersion, nodeName };
  const asked = { ...target, annotations, labels, dryRun };
  await askOwn<BindCalls, 'bind'>(request.shards, PODS, 'bind', asked);
  sendDone(request);
}

function validate({ kind = '', name = '' }: Target): FieldError[] {
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') {
    errors.push(notSupported('target.kind', kind, ['Node', '<empty>']));
  }
  if (name === '') errors.push(required('target.name'));
  else if (errors.length === 0 && ownRelease().has('checkedBindings')) {
    addProblems(dnsSubdomain(name), 'target.name', name, errors);
  }
  return errors;
}
