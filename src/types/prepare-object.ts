/**
 * Prepares an object before it is validated: metadata that the server alone decides about, the
 * parts that an endpoint does not change, defaults (src/resources/README.md#create and
 * src/resources/README.md#update).
 */
import type { Randomness } from '../base/randomness.ts';
import { badRequest } from '../semantics/errors/status.ts';
import { generatedName } from './generated-name.ts';
import type { ResourceType } from './resource-type.ts';
import type { FeatureGates } from '../release/feature-gates.ts';
import type { ApiObject, KindDefinition } from '../resources/kind.ts';
import type { UpdatedPart } from './resource-type.ts';
import type { User } from '../semantics/user.ts';

export interface NewObjectFacts {
  readonly uid: string;
  readonly creationTimestamp: string;
  /** Gives names to those that have none. */
  readonly random: Randomness;
  /** The user who sent the request, where the kind writes it down. */
  readonly user?: User | undefined;
  /** The version of the request that creates it. */
  readonly version?: number | undefined;
}

export interface ProposedFacts {
  /** The version of the request. */
  readonly version?: number | undefined;
  readonly track?: Track | undefined;
}

/**
 * Returns the owners of the fields of an object. It is called when clients and defaults have had
 * their say, and before the server adds or resets anything, which nobody owns
 * (src/semantics/fields/README.md#field-sets). Throws StatusError 422 for given ones that are
 * wrong.
 */
export type Track = (
  object: ApiObject,
  /**
   * The body of a client that `object` was made of, with a stored one, where clients own the fields
   * they send.
   */
  sent?: ApiObject,
) => ApiObject['metadata']['managedFields'];

/**
 * Puts a new object into the namespace of its request, '' for none. Throws StatusError 400 when it
 * names another one.
 */
export function settleNamespace({ metadata }: ApiObject, namespace: string): void {
  refuseOtherNamespace(metadata, namespace);
  if (namespace === '') delete metadata.namespace;
  else metadata.namespace = namespace;
}

/**
 * Throws StatusError 400 for an object that names another namespace than that of its request, ''
 * for none.
 */
export function refuseOtherNamespace(
  { namespace: sent }: ApiObject['metadata'],
  namespace: string,
): void {
  // One that is applied may be null.
  if (namespace === '' || (sent ?? '') === '' || sent === namespace) return;
  throw badRequest(
    'the namespace of the provided object does not match the namespace sent on the request',
  );
}

type Prepared = Pick<ResourceType, 'traits' | 'gates' | 'dropGated' | 'stored'>;

/** Turns a body of a client into the new object that it means, in place. */
export function proposeCreate(
  kind: Prepared,
  object: ApiObject,
  { version, track }: ProposedFacts = {},
): void {
  const definition = kind.traits(version);
  dropServerFields(definition, object);
  withDefaults(kind, object, version, false);
  object.metadata.managedFields = track?.(object);
}

/** Drops members of a new object that no client may set. */
function dropServerFields({ statusSubresource }: KindDefinition, object: ApiObject): void {
  const { metadata } = object;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.resourceVersion;
  delete metadata.selfLink;
  delete metadata.clusterName;
  if (statusSubresource !== undefined && statusSubresource.keptOnCreate !== true) {
    delete object['status'];
  }
}

/** Sets, in place, members of an admitted new object that the server alone decides about. */
export function prepareCreate(
  kind: Prepared,
  object: ApiObject,
  { uid, creationTimestamp, random, user, version }: NewObjectFacts,
): void {
  const definition = kind.traits(version);
  const { metadata } = object;
  // Who admits it may have set them.
  dropServerFields(definition, object);
  if (countsChanges(definition, kind.gates)) metadata.generation = 1;
  metadata.uid = uid;
  metadata.creationTimestamp = creationTimestamp;
  if (definition.namedByUuid === true) metadata.name ||= random.uuid();
  if (metadata.generateName) metadata.name ||= generatedName(metadata.generateName, random);
  kind.dropGated?.(object);
  definition.dropDisabled?.(object, kind.gates);
  definition.prepareForCreate?.(object, kind.gates);
  if (user !== undefined) definition.recordUser?.(object, user);
}

/** Whether objects of the kind have a generation. */
function countsChanges(
  { bumpsGeneration, generationGate }: KindDefinition,
  gates: FeatureGates,
): boolean {
  if (bumpsGeneration === undefined) return false;
  return generationGate === undefined || gates.has(generationGate);
}

/**
 * The object that is meant to replace `stored`: `object`, or `stored` with the part of `object`
 * that the endpoint changes. Both may be changed.
 */
export function proposeUpdate(
  kind: Prepared,
  object: ApiObject,
  stored: ApiObject,
  part: UpdatedPart,
  { version, track }: ProposedFacts = {},
): ApiObject {
  const definition = kind.traits(version);
  const sent = ownsSent(definition, part)
    ? { ...object, metadata: { ...object.metadata } }
    : undefined;
  const updated = mergedUpdate(kind, definition, object, stored, part);
  updated.metadata.managedFields = stored.metadata.managedFields;
  withDefaults(kind, updated, version, true);
  if (track === undefined || !changesOwners(definition, part)) return updated;
  updated.metadata.managedFields = track(updated, sent && withDefaults(kind, sent, version, true));
  return updated;
}

function changesOwners(definition: KindDefinition, part: UpdatedPart): boolean {
  const written = definition.parts?.[part];
  return written === undefined || written.owns !== undefined || ownsSent(definition, part);
}

/** Whether writers own all that they send. */
function ownsSent({ statusSubresource, parts }: KindDefinition, part: UpdatedPart): boolean {
  if (part === 'status') return statusSubresource?.ownsSent === true;
  return parts?.[part]?.ownsSent === true;
}

/** The object itself, with the defaults of the kind. */
function withDefaults(
  kind: Prepared,
  object: ApiObject,
  version: number | undefined,
  isUpdate: boolean,
): ApiObject {
  kind.stored.codec.applyDefaults(object, isUpdate);
  kind.traits(version).applyDefaults?.(object, kind.gates);
  return object;
}

/**
 * Prepares a body that a client has sent to replace a stored object, as admission sees it: with its
 * defaults and the owners of `updated`, which was made of it, and without anything that is restored
 * later. It is changed.
 */
export function proposeSent(
  kind: Prepared,
  sent: ApiObject,
  updated: ApiObject,
  version?: number,
): ApiObject {
  withDefaults(kind, sent, version, true);
  sent.metadata.managedFields = updated.metadata.managedFields;
  return sent;
}

/** The object that is meant to replace `stored`, once those have had their say. */
export function proposeAdmitted(
  kind: Prepared,
  object: ApiObject,
  stored: ApiObject,
  part: UpdatedPart,
  version?: number,
): ApiObject {
  const { managedFields } = object.metadata;
  const updated = mergedUpdate(kind, kind.traits(version), object, stored, part);
  updated.metadata.managedFields = managedFields;
  return updated;
}

function mergedUpdate(
  { gates }: Prepared,
  definition: KindDefinition,
  object: ApiObject,
  stored: ApiObject,
  part: UpdatedPart,
): ApiObject {
  const updated = merged(gates, definition, object, stored, part);
  keepServerFields(updated, stored);
  if (part === '' && definition.statusSubresource !== undefined) setStatus(updated, stored);
  return updated;
}

/** Restores, in place, members that an admitted update may not change. */
export function prepareUpdate(
  kind: Prepared,
  updated: ApiObject,
  stored: ApiObject,
  part: UpdatedPart,
  version?: number,
): void {
  const definition = kind.traits(version);
  const counts = countsChanges(definition, kind.gates);
  const changes = (): boolean => counts && definition.bumpsGeneration?.(updated, stored) === true;
  const changesAsSent = part === '' && definition.countsDropped === true && changes();
  kind.dropGated?.(updated, stored);
  definition.dropDisabled?.(updated, kind.gates, stored);
  if (part === '') {
    definition.prepareForUpdate?.(updated, stored, kind.gates);
    if (definition.countsDropped === true ? changesAsSent : changes()) {
      updated.metadata.generation = (stored.metadata.generation ?? 0) + 1;
    }
  } else if (part === 'status') {
    definition.prepareForStatusUpdate?.(updated, stored, kind.gates);
  } else if (definition.parts?.[part]?.countsChanges === true && changes()) {
    updated.metadata.generation = (stored.metadata.generation ?? 0) + 1;
  }
}

function merged(
  gates: FeatureGates,
  definition: KindDefinition,
  object: ApiObject,
  stored: ApiObject,
  part: UpdatedPart,
): ApiObject {
  if (part === '') return object;
  if (part === 'status') return withStatusOf(definition, object, stored);
  return definition.parts?.[part]?.merge(object, { ...stored }, gates) ?? object;
}

/** The stored object with the status, and where the kind allows it the metadata, of the new one. */
function withStatusOf(
  { statusSubresource }: KindDefinition,
  object: ApiObject,
  stored: ApiObject,
): ApiObject {
  const keepsAll = statusSubresource?.ownsSent === true;
  const metadata = keepsAll ? { ...stored.metadata } : object.metadata;
  if (!keepsAll && statusSubresource?.metadataWritable !== true) {
    const { labels, annotations, finalizers, ownerReferences, deletionTimestamp } = stored.metadata;
    const kept = { labels, annotations, finalizers, ownerReferences, deletionTimestamp };
    Object.assign(metadata, kept);
  }
  const updated = { ...stored, metadata };
  setStatus(updated, object);
  return updated;
}

function setStatus(object: ApiObject, { status }: ApiObject): void {
  if (status === undefined) delete object['status'];
  else object['status'] = status;
}

/** Keeps members that no client may change (src/resources/README.md#update). */
function keepServerFields({ metadata }: ApiObject, { metadata: stored }: ApiObject): void {
  if (metadata.uid === undefined || metadata.uid === '') metadata.uid = stored.uid;
  metadata.namespace = stored.namespace;
  metadata.creationTimestamp = stored.creationTimestamp;
  metadata.generation = stored.generation;
  delete metadata.selfLink;
  delete metadata.clusterName;
  if (stored.deletionTimestamp !== undefined) {
    metadata.deletionTimestamp = stored.deletionTimestamp;
  }
  metadata.deletionGracePeriodSeconds ??= stored.deletionGracePeriodSeconds;
}
