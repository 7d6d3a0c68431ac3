/**
 * create: a new object from a POST, or from a PUT or apply of what is not there
 * (src/resources/README.md#create).
 */
import type { ApiObject } from '../../resources/kind.ts';
import type { ObjectMeta } from '../../semantics/metadata/object-meta.ts';
import { alreadyExists, generatedNameTaken } from '../../semantics/errors/status.ts';
import { OPERATION } from '../../storage/record.ts';
import type { DecodedBody } from '../../proposals/decode-body.ts';
import { admittedNew, checkNew, sentObject } from '../../proposals/new-object.ts';
import { kindOf } from '../../proposals/proposal-context.ts';
import { TURN, Turn, type Steps } from '../../proposals/steps.ts';
import { storedText } from '../../proposals/stored-text.ts';
import type { ChangeRequest, WriteRequest } from '../../protocol/shard-protocol.ts';
import type { Track } from '../../types/prepare-object.ts';
import type { Shard } from '../state/shard.ts';
import { inStoredVersion } from '../write/in-version.ts';
import { allocate } from '../write/allocate.ts';
import { shownObject, writtenObject } from '../write/answer-body.ts';
import { mayCreate } from '../write/create-right.ts';
import { checkGrants } from '../write/check-grants.ts';
import { objectReply } from '../write/object-reply.ts';
import { checkNamespace } from '../write/check-namespace.ts';
import type { Outcome, Write } from '../write/write.ts';

/** Throws StatusError 400, 403, 404, 409 or 422; otherwise answers 201. */
export function* create(write: Write, request: WriteRequest, body: Uint8Array): Steps<Outcome> {
  return yield* createObject(write, request, sentObject(write.shard, request, body));
}

/**
 * The part that POST, creating PUT and creating apply share: the object is decoded. `track` says
 * whose its fields are: the request's manager's, where it is absent. `isUpdate`: who asks was let
 * update or patch, and the write rests on there being no such object.
 */
export function* createObject(
  write: Write,
  request: ChangeRequest,
  sent: DecodedBody,
  { track, isUpdate = false }: HowCreated = {},
): Steps<Outcome> {
  const { shard } = write;
  const { name: sentName = '' } = sent.object.metadata;
  const { object, admission } = yield* admittedNew(write, request, sent, track);
  yield* checkGrants(shard, request, { object, stored: undefined, sentName });
  yield new Turn(shard.slowCheck(kindOf(shard, request), object));
  yield* checkNew(write, request, object);
  if (isUpdate) yield* mayCreate(shard, request);
  yield TURN;
  yield* allocate(write, admission, { object, stored: undefined, dryRun: request.dryRun });
  yield* admission.validate(object);
  return yield* stored(write, request, object);
}

interface HowCreated {
  readonly track?: Track | undefined;
  readonly isUpdate?: boolean;
}

/** Stores a valid object unless there is one of its name. */
function* stored(write: Write, request: ChangeRequest, valid: ApiObject): Steps<Outcome> {
  const { shard } = write;
  const key = keyIn(shard, request, valid);
  let object = valid;
  if (!shard.exists(key)) {
    write.restOn(key, 0);
    object = yield* inStoredVersion(shard, kindOf(shard, request), valid);
  }
  // It may have begun to end since the object was prepared.
  checkNamespace(shard, request, object.metadata);
  if (shard.exists(key)) throw taken(write, request, key, object.metadata);
  const reply = objectReply(201);
  const representation = shard.representations.of(request);
  if (request.dryRun) {
    const wire = Buffer.from(storedText(shard, object));
    return { changes: [], reply, body: shownObject(representation, wire) };
  }
  const rv = shard.clock.take();
  object.metadata.resourceVersion = String(rv);
  const wire = storedText(shard, object);
  const change = { operation: OPERATION.added, rv, key, previousRv: 0, object, wire };
  return { changes: [change], reply, body: writtenObject(shard, representation, rv) };
}

function keyIn(shard: Shard, { namespace }: ChangeRequest, { metadata }: ApiObject): string {
  return shard.keyOf(namespace, metadata.name ?? '');
}

/**
 * Who says what to generate a name from is told to try again, as by the reference, even if the name
 * was given.
 */
export function taken(
  write: Write,
  { version }: Pick<ChangeRequest, 'version'>,
  key: string,
  { name = '', generateName }: Pick<ObjectMeta, 'name' | 'generateName'>,
): Error {
  const { resource } = write.shard.kind.version(version);
  const latest = write.latest(key);
  if (generateName) return generatedNameTaken(resource, name);
  const isTerminating = latest?.object.metadata.deletionTimestamp !== undefined;
  return alreadyExists(resource, name, isTerminating);
}
