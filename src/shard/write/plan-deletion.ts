/**
 * Decides what a deletion does to an object: a pure decision (../README.md#deletion). Finalizers
 * hold an object back, the garbage collector's own among them, which the propagation policy adds;
 * graceful kinds wait for their grace period first.
 */
import { utcSeconds } from '../../base/time/utc-time.ts';
import type { ApiObject, KindDefinition } from '../../resources/kind.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../../semantics/metadata/object-meta.ts';
import type { ObjectMeta } from '../../semantics/metadata/object-meta.ts';
import type { DeleteOptions } from './delete-options.ts';

export interface Deletion {
  /** The object as it is written first; undefined when it is not written. */
  readonly updated: ApiObject | undefined;
  /** Whether it is removed (then). */
  readonly removes: boolean;
}

/** The rules of a kind about deletion, and those of the version in which it is asked for. */
interface DeletionRules {
  readonly definition: KindDefinition;
  readonly defaultPropagation: KindDefinition['defaultPropagation'];
}

type Wanted = Pick<DeleteOptions, 'gracePeriodSeconds' | 'orphanDependents' | 'propagationPolicy'>;

/** About 230 years. */
const GRACE_SECONDS_MAX = 7_258_118_400;

const UNCHANGED: Deletion = { updated: undefined, removes: false };
const REMOVED: Deletion = { updated: undefined, removes: true };

/** `stored` is left as it is. */
export function planDeletion(
  { definition, defaultPropagation }: DeletionRules,
  stored: ApiObject,
  options: Wanted,
  nowMs: number,
): Deletion {
  const metadata = { ...stored.metadata };
  const object: ApiObject = { ...stored, metadata };
  if (definition.emptiesNamespace && metadata.deletionTimestamp === undefined) {
    return { updated: beginNamespaceEnd(object, options, nowMs), removes: false };
  }
  if (definition.beginEnd !== undefined && metadata.deletionTimestamp === undefined) {
    return { updated: definition.beginEnd(object, utcSeconds(nowMs)), removes: false };
  }
  // Nothing but a write of its `spec.finalizers` brings a namespace further to its end.
  if (definition.emptiesNamespace && hasSpecFinalizers(object)) return UNCHANGED;
  if (definition.gracePeriodSeconds !== undefined) {
    const graceful = beginGrace(definition, object, options.gracePeriodSeconds, nowMs);
    if (graceful === 'pending') return UNCHANGED;
    if (graceful === 'begun') {
      metadata.finalizers = finalizersFor(defaultPropagation, metadata, options);
      const removes = metadata.deletionGracePeriodSeconds === 0 && !hasFinalizers(object);
      return { updated: object, removes };
    }
  }
  metadata.finalizers = finalizersFor(defaultPropagation, metadata, options);
  if (!hasFinalizers(object)) return REMOVED;
  const isFirst = metadata.deletionTimestamp === undefined;
  if (isFirst || Date.parse(metadata.deletionTimestamp ?? '') > nowMs) {
    metadata.deletionTimestamp = utcSeconds(nowMs);
  }
  metadata.deletionGracePeriodSeconds = 0;
  if (isFirst) bumpGeneration(metadata);
  return { updated: object, removes: false };
}

/** Namespaces get no grace period; and of them, not to orphan dependents means foreground. */
function beginNamespaceEnd(object: ApiObject, options: Wanted, nowMs: number): ApiObject {
  const { metadata } = object;
  const { orphanDependents, propagationPolicy } = options;
  const isForeground = orphanDependents === false;
  metadata.finalizers = finalizersFor(undefined, metadata, {
    ...options,
    orphanDependents: isForeground ? undefined : orphanDependents,
    propagationPolicy: isForeground ? 'Foreground' : propagationPolicy,
  });
  metadata.deletionTimestamp = utcSeconds(nowMs);
  return { ...object, status: { ...(object['status'] as object), phase: 'Terminating' } };
}

/**
 * Sets when a graceful deletion ends. `pending`: it had begun and does not end sooner. `over`: it
 * had begun and no time is left.
 */
function beginGrace(
  definition: KindDefinition,
  object: ApiObject,
  asked: number | undefined,
  nowMs: number,
): 'begun' | 'pending' | 'over' {
  const { metadata } = object;
  const requested = asked === undefined ? undefined : boundedGrace(asked);
  if (metadata.deletionTimestamp === undefined) {
    const seconds = boundedGrace(definition.gracePeriodSeconds?.(object, requested) ?? 0);
    metadata.deletionTimestamp = utcSeconds(nowMs + seconds * 1000);
    metadata.deletionGracePeriodSeconds = seconds;
    bumpGeneration(metadata);
    return 'begun';
  }
  const current = metadata.deletionGracePeriodSeconds ?? 0;
  if (current === 0) return 'over';
  if (requested === undefined || requested >= current) return 'pending';
  const beganMs = Date.parse(metadata.deletionTimestamp) - current * 1000;
  metadata.deletionTimestamp = utcSeconds(beganMs + requested * 1000);
  metadata.deletionGracePeriodSeconds = requested;
  return 'begun';
}

/** A negative period counts as one second. Years have four digits at most. */
function boundedGrace(seconds: number): number {
  return seconds < 0 ? 1 : Math.min(Number(seconds), GRACE_SECONDS_MAX);
}

/** A client may have begun to count beyond what is a number: an int64 begins anew then. */
function bumpGeneration(metadata: ObjectMeta): void {
  const { generation = 0 } = metadata;
  if (generation <= 0) return;
  const next = BigInt.asIntN(64, BigInt(generation) + 1n);
  const small = Number(next);
  metadata.generation = Number.isSafeInteger(small) ? small : (next as unknown as number);
}

/** The finalizers with that of the garbage collector which the options ask for. */
function finalizersFor(
  defaultPropagation: DeletionRules['defaultPropagation'],
  { finalizers }: ObjectMeta,
  options: Wanted,
): string[] | undefined {
  if (defaultPropagation === 'none') return finalizers;
  const wanted = collectorFinalizer(defaultPropagation, finalizers ?? [], options);
  const others = (finalizers ?? []).filter(
    (finalizer) => finalizer !== ORPHAN_FINALIZER && finalizer !== FOREGROUND_FINALIZER,
  );
  if (wanted !== '') others.push(wanted);
  return others.length === 0 ? undefined : others;
}

function collectorFinalizer(
  defaultPropagation: DeletionRules['defaultPropagation'],
  finalizers: readonly string[],
  { orphanDependents, propagationPolicy }: Wanted,
): string {
  if (orphanDependents !== undefined) return orphanDependents ? ORPHAN_FINALIZER : '';
  switch (propagationPolicy) {
    case 'Orphan':
      return ORPHAN_FINALIZER;
    case 'Foreground':
      return FOREGROUND_FINALIZER;
    case 'Background':
      return '';
    default:
      if (finalizers.includes(ORPHAN_FINALIZER)) return ORPHAN_FINALIZER;
      if (finalizers.includes(FOREGROUND_FINALIZER)) return FOREGROUND_FINALIZER;
      return defaultPropagation === 'Orphan' ? ORPHAN_FINALIZER : '';
  }
}

/** Whether finalizers hold the object back; namespaces also have some in their spec. */
export function hasFinalizers(object: ApiObject): boolean {
  return (object.metadata.finalizers?.length ?? 0) > 0 || hasSpecFinalizers(object);
}

function hasSpecFinalizers(object: ApiObject): boolean {
  const spec = object['spec'] as { finalizers?: unknown } | undefined;
  return Array.isArray(spec?.finalizers) && spec.finalizers.length > 0;
}
