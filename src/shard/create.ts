/** create: a new object from a POST, or from a PUT of a kind that allows it (API-FACTS 3.2). */
import { randomInt } from 'node:crypto';
import type { Answer } from '../actors/link.ts';
import type { ApiObject } from '../resources/kind.ts';
import { invalidObject } from '../semantics/field-error.ts';
import { isUnconditional } from '../semantics/object-meta-validation.ts';
import { alreadyExists, badRequest, generatedNameTaken } from '../semantics/status.ts';
import { OPERATION, wireBytes } from '../storage/record.ts';
import { decodeBody } from './decode-body.ts';
import type { Shard } from './shard.ts';
import type { ObjectReply, WriteRequest } from './shard-protocol.ts';
import { refusedWhenSettled, storageFailure } from './storage-failure.ts';
import { utcSeconds } from './utc-time.ts';
import { NEWLINE } from './wire.ts';

const CREATED: ObjectReply = { code: 201 };

/** Consonants and digits that cannot be taken for one another or spell words. */
const SUFFIX_CHARACTERS = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const GENERATED_BASE_BYTES_MAX = 58;

/** Throws StatusError 400, 403, 404, 409 or 422; otherwise answers 201 after the commit. */
export function create(
  shard: Shard,
  request: WriteRequest,
  body: Uint8Array,
  answer: Answer<ObjectReply>,
): void {
  const object = decodeBody(shard.kind, body, request.format);
  settleNamespace(shard, object, request.namespace);
  if (!isUnconditional(object.metadata)) {
    throw badRequest('resourceVersion should not be set on objects to be created');
  }
  createObject(shard, request, object, answer);
}

function settleNamespace(shard: Shard, { metadata }: ApiObject, namespace: string): void {
  if (!shard.kind.definition.namespaced) {
    delete metadata.namespace;
  } else if (metadata.namespace === undefined || metadata.namespace === '') {
    metadata.namespace = namespace;
  } else if (metadata.namespace !== namespace) {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
}

/** The part that POST and creating PUT share: `object` is decoded and in its namespace. */
export function createObject(
  shard: Shard,
  request: WriteRequest,
  object: ApiObject,
  answer: Answer<ObjectReply>,
): void {
  const { kind } = shard;
  const { metadata } = object;
  const { group, kind: kindName, namespaced } = kind.definition;
  if (namespaced) {
    shard.namespaces.checkCreate(request.namespace, kind.resource, metadata.name ?? '');
  }
  const generated = prepare(shard, object);
  const errors = kind.validator.validateCreate(object);
  if (errors.length > 0) throw invalidObject(group, kindName, metadata.name ?? '', errors);

  const name = metadata.name ?? '';
  const key = shard.keyOf(request.namespace, name);
  if (shard.exists(key)) {
    refusedWhenSettled(shard, key, answer, () => {
      if (generated) throw generatedNameTaken(kind.resource, name);
      const terminating = shard.latest(key)?.object.metadata.deletionTimestamp !== undefined;
      throw alreadyExists(kind.resource, name, terminating);
    });
    return;
  }
  if (request.dryRun) {
    const wire = Buffer.from(kind.codec.encode(object));
    answer.reply(CREATED, kind.objectPrefix, wire, NEWLINE);
    return;
  }
  const rv = shard.clock.take();
  metadata.resourceVersion = String(rv);
  shard.stage({
    operation: OPERATION.added,
    rv,
    key,
    previousRv: 0,
    object,
    wire: kind.codec.encode(object),
    committed: (record) => answer.reply(CREATED, kind.objectPrefix, wireBytes(record), NEWLINE),
    failed: (error) => answer.fail(storageFailure(error)),
  });
}

/** Everything that the server decides about a new object; returns whether it chose the name. */
function prepare(shard: Shard, object: ApiObject): boolean {
  const { definition, codec } = shard.kind;
  const { metadata } = object;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.resourceVersion;
  delete metadata.managedFields;
  delete metadata.selfLink;
  delete metadata.clusterName;
  delete metadata.generation;
  if (definition.statusSubresource !== undefined) delete object['status'];
  if (definition.tracksGeneration) metadata.generation = 1;
  metadata.uid = shard.newUid();
  metadata.creationTimestamp = utcSeconds(shard.nowMs());
  const generated = (metadata.name ?? '') === '' && (metadata.generateName ?? '') !== '';
  if (generated) metadata.name = generateName(metadata.generateName ?? '');
  codec.applyDefaults(object);
  definition.applyDefaults?.(object);
  definition.prepareForCreate?.(object);
  return generated;
}

/** The prefix, cut so that a suffix fits, and five random characters (API-FACTS 3.2). */
function generateName(prefix: string): string {
  let name = Buffer.from(prefix).subarray(0, GENERATED_BASE_BYTES_MAX).toString();
  for (let count = 0; count < SUFFIX_LENGTH; count++) {
    name += SUFFIX_CHARACTERS.charAt(randomInt(SUFFIX_CHARACTERS.length));
  }
  return name;
}
