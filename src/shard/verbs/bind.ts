/**
 * bind: a pod gets its node (../README.md#binding). One look and one write within a turn, so that
 * of two bindings of a pod exactly one wins.
 */
import { utcSeconds } from '../../base/time/utc-time.ts';
import type { ApiObject } from '../../resources/kind.ts';
import { conflict, notFound } from '../../semantics/errors/status.ts';
import type { StatusError } from '../../semantics/errors/status.ts';
import type { Latest } from '../log/latest.ts';
import type { Shard } from '../state/shard.ts';
import type { BindRequest } from '../../protocol/shard-protocol.ts';
import { preconditionFailed } from '../write/precondition.ts';
import { NO_DOCUMENT, replaceObject } from '../write/replace-object.ts';
import type { Outcome, Steps, Write } from '../write/write.ts';

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string;
}

/** Throws StatusError 404 or 409; otherwise answers 201. */
export function* bind(write: Write, request: BindRequest): Steps<Outcome> {
  const { shard } = write;
  const { name, dryRun } = request;
  const key = shard.keyOf(request.namespace, name);
  const stored = write.latest(key);
  if (stored === undefined) throw notFound(shard.kind.stored.resource, name);
  checkPreconditions(shard, key, request, stored);
  const updated = bound(stored.object, request, utcSeconds(shard.nowMs()));
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

/** The pod on its node. Throws StatusError 409 when it has one, or is being deleted. */
function bound(pod: ApiObject, request: BindRequest, now: string): ApiObject {
  const { name, nodeName, annotations } = request;
  const spec = pod['spec'] as { nodeName?: string };
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw refused(name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if ((spec.nodeName ?? '') !== '') {
    throw refused(name, `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
  }
  const status = pod['status'] as { conditions?: readonly Condition[] } | undefined;
  const conditions = withScheduled(status?.conditions ?? [], now);
  const merged = { ...pod.metadata.annotations, ...annotations };
  return {
    ...pod,
    metadata: { ...pod.metadata, ...(Object.keys(merged).length > 0 && { annotations: merged }) },
    spec: { ...spec, nodeName },
    status: { ...status, conditions },
  };
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
