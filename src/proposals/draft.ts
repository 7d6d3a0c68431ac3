/** A new object as a thread that has no shard proposes it (README.md#elsewhere). */
import type { Interest } from '../admission/chain.ts';
import type { ProposedRequest, WriteRequest } from '../protocol/shard-protocol.ts';
import type { ApiObject } from '../resources/kind.ts';
import { ownDialect } from '../semantics/dialect/own-names.ts';
import { DRAFT_VERSION, draftRecord, OPERATION } from '../storage/record.ts';
import type { ResourceType } from '../types/resource-type.ts';
import { admittedNew, checkNew, sentObject } from './new-object.ts';
import type { ProposalContext } from './proposal-context.ts';
import type { Proposed } from './proposed.ts';
import { recordFactsOf } from './record-facts.ts';
import type { Steps } from './steps.ts';
import { storedText } from './stored-text.ts';

/** What the shard is told of a new object: its record, and where its version goes. */
export interface Draft extends Pick<ProposedRequest, 'versionAt' | 'uid' | 'generateName'> {
  readonly record: Uint8Array;
}

/**
 * Whether new objects of the type may be proposed in another thread: their shard gives them
 * nothing that no two may share, and looks at nothing else that it alone knows.
 */
export function isProposable({ definition, stored }: ResourceType): boolean {
  const { newAllocator, emptiesNamespace, slowRules } = definition;
  return (
    newAllocator === undefined &&
    emptiesNamespace !== true &&
    slowRules === undefined &&
    stored.conversion === undefined
  );
}

/** Those who have a say in new objects of a version of the type. */
export function interestInNew(
  { kind, admission }: Pick<ProposalContext, 'kind' | 'admission'>,
  version: number | undefined,
): Interest {
  const { resource } = kind.version(version);
  return admission.interestIn({ operation: 'CREATE', ...resource, subresource: '' });
}

/** Throws StatusError 400, 403, 404 or 422. */
export function* draftOfNew(
  write: Proposed,
  request: WriteRequest,
  body: Uint8Array,
): Steps<Draft> {
  const { context } = write;
  const sent = sentObject(context, request, body);
  const { object, admission } = yield* admittedNew(write, request, sent);
  yield* checkNew(write, request, object);
  yield* admission.validate(object);
  return drafted(context, request, object);
}

function drafted(context: ProposalContext, request: WriteRequest, object: ApiObject): Draft {
  const { kind } = context;
  const { metadata } = object;
  const { uid = '', name = '', generateName } = metadata;
  metadata.resourceVersion = DRAFT_VERSION;
  const header = {
    operation: OPERATION.added,
    timeMs: 0,
    previousRv: 0,
    key: kind.keyOf(request.namespace, name),
    fields: kind.fieldsOf(object),
    domain: ownDialect().domain,
    ...recordFactsOf(metadata),
  };
  const draft = draftRecord(header, storedText(context, object));
  return generateName === undefined ? { ...draft, uid } : { ...draft, uid, generateName };
}
