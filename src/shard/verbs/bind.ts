/**
 * bind: a pod gets its node (../README.md#binding). One look and one write within a turn, so that
 * of two bindings of a pod exactly one wins.
 */
import { utcSeconds } from '../../base/time/utc-time.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { conflict, notFound } from '../../semantics/errors/status.ts';
import type { StatusError } from '../../semantics/errors/status.ts';
import type { Latest } from '../log/latest.ts';
import type { Shard } from '../state/shard.ts';
import type { BindRequest } from '../../protocol/bind-protocol.ts';
import { preconditionFailed } from '../write/precondition.ts';
import { NO_DOCUMENT, replaceObject } from '../write/replace-object.ts';
import type { Steps } from '../../proposals/steps.ts';
import type { Outcome, Write } from '../write/write.ts';

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string;
}

interface Status {
  readonly conditions?: readonly Condition[];
  nominatedNodeName?: string;
}

/** Throws StatusError 404 or 409; otherwise answers 201. */
export function* bind(write: Write, request: BindRequest): Steps<Outcome> {
  const { shard } = write;
  const { name, dryRun } = request;
  const key = shard.keyOf(request.namespace, name);
  const stored = write.latest(key);
  if (stored === undefined) throw notFound(shard.kind.stored.resource, name);
  checkPreconditions(shard, key, request, stored);
  const updated = bound(stored.object, request, shard.kind.gates, utcSeconds(shard.nowMs()));
  write.admitUnasked('no plugin looks at bindings, and webhooks are not shown them');
  const code = 201;
  return yield* replaceObject(write, {
    key,
    stored,
    updated,
    dryRun,
    code,
    representation: NO_DOCUMENT,
  });
}

/** Throws StatusError 409 when the pod is another one, or has changed. */
function checkPreconditions(
  shard: Shard,
  key: string,
  { uid, resourceVersion }: BindRequest,
  { rv, object }: Latest,
): void {
  const storedUid = object.metadata.uid ?? '';
  let failed = '';
  if (uid !== '' && uid !== storedUid) {
    failed = `UID in precondition: ${uid}, UID in object meta: ${storedUid}`;
  } else if (resourceVersion !== '' && resourceVersion !== String(rv)) {
    failed =
      `ResourceVersion in precondition: ${resourceVersion}, ` +
      `ResourceVersion in object meta: ${rv}`;
  }
  if (failed === '') return;
  throw preconditionFailed(shard, shard.kind.stored.resource, key, failed);
}

/** The pod on its node. Throws StatusError 409 when it has one, waits, or is being deleted. */
function bound(
  pod: ApiObject,
  { name, nodeName, annotations, labels }: BindRequest,
  gates: FeatureGates,
  now: string,
): ApiObject {
  const spec = pod['spec'] as { nodeName?: string; schedulingGates?: readonly object[] };
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw refused(name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if ((spec.nodeName ?? '') !== '') {
    throw refused(name, `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
  }
  if ((spec.schedulingGates ?? []).length > 0) {
    throw refused(name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  const { conditions = [], ...status } = (pod['status'] ?? {}) as Status;
  if (gates.has('ClearingNominatedNodeNameAfterBinding')) delete status.nominatedNodeName;
  const { metadata } = pod;
  const addsLabels = gates.has('PodTopologyLabelsAdmission');
  return {
    ...pod,
    metadata: {
      ...metadata,
      ...merged('labels', metadata.labels, addsLabels ? labels : {}),
      ...merged('annotations', metadata.annotations, annotations),
    },
    spec: { ...spec, nodeName },
    status: { ...status, conditions: withScheduled(conditions, now) },
  };
}

type Texts = Readonly<Record<string, string>>;

/** The member of the metadata with more texts; nothing where there are none. */
function merged(member: 'labels' | 'annotations', texts: Texts | undefined, more: Texts): object {
  const all = { ...texts, ...more };
  return Object.keys(all).length > 0 ? { [member]: all } : {};
}

function refused(name: string, why: string): StatusError {
  return conflict({ group: '', resource: 'pods/binding' }, name, why);
}

/**
 * The conditions of the pod with PodScheduled true; its transition is now unless it was true
 * before.
 */
function withScheduled(conditions: readonly Condition[], now: string): readonly Condition[] {
  const type = 'PodScheduled';
  const status = 'True';
  const known = conditions.find((condition) => condition.type === type);
  if (known === undefined) return [...conditions, { type, status, lastTransitionTime: now }];
  const since = known.status === status ? {} : { lastTransitionTime: now };
  const { reason: _reason, message: _message, ...rest } = known as Record<string, unknown>;
  return conditions.map((one) => (one === known ? { ...rest, status, ...since } : one));
}
