/** DeleteOptions from the body and the query. */
import { DecodeError, valueKind, valueMismatch } from '../../codec/json/go-errors.ts';
import { jsonSyntaxError } from '../../codec/json/json-syntax.ts';
import { unwrapProtobuf } from '../../codec/protobuf/protobuf-envelope.ts';
import { ownRelease } from '../../release/release.ts';
import { deleteOptionErrors } from '../../semantics/options/delete-options.ts';
import { invalidObject } from '../../semantics/errors/field-error.ts';
import { META_GROUP } from '../../semantics/metadata/object-meta.ts';
import { badRequest, serverFailure } from '../../semantics/errors/status.ts';
import type { StatusError } from '../../semantics/errors/status.ts';
import { bodyText, noType } from '../../proposals/decode-body.ts';
import type { Shard } from '../state/shard.ts';
import type { DeleteRequest, View } from '../../protocol/shard-protocol.ts';

export interface DeleteOptions {
  readonly dryRun: boolean;
  /** Preconditions: an empty one is never met. */
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly propagationPolicy: string;
  readonly orphanDependents: boolean | undefined;
  /** Seconds that a graceful deletion waits; undefined for what the kind says. */
  readonly gracePeriodSeconds: number | undefined;
  /** The form in which the answer shows the object. */
  readonly view: View;
  /** The user who asks; absent is the server itself. */
  readonly user?: string | undefined;
  /** The answer is to have what the audit log says of it. */
  readonly isAudited?: boolean | undefined;
  /** It is a part of an operation that was admitted as what it is. */
  readonly isAdmitted?: true | undefined;
  /** The request names a collection: who has a say in it sees no name. */
  readonly isOfCollection?: true;
}

/**
 * The options of the body, and those of the query where the body says nothing; `dryRun` counts in
 * either. Throws StatusError 400 or 500 for a body that is none, and 422 for values that are not
 * allowed. The query by itself is checked before (`src/front/requests/options.ts`).
 */
export function deleteOptions(
  shard: Shard,
  request: DeleteRequest,
  body: Uint8Array,
): DeleteOptions {
  const members = body.length === 0 ? NO_MEMBERS : parseOptions(optionsText(shard, request, body));
  const gracePeriodSeconds = member(members, 'gracePeriodSeconds', 'number');
  if (gracePeriodSeconds !== undefined && !Number.isInteger(gracePeriodSeconds)) {
    throw undecodable('gracePeriodSeconds', `number ${gracePeriodSeconds}`, 'int64');
  }
  const preconditions = member(members, 'preconditions', 'object') ?? {};
  const sentPolicy = member(members, 'propagationPolicy', 'string');
  const sentOrphan = member(members, 'orphanDependents', 'boolean');
  const propagationPolicy = sentPolicy ?? request.propagationPolicy;
  const orphanDependents = sentOrphan ?? request.orphanDependents;
  const dryRun = textsOf(members['dryRun']);
  const errors = deleteOptionErrors({ propagationPolicy, orphanDependents, dryRun });
  if (errors.length > 0) throw invalidObject(META_GROUP, 'DeleteOptions', '', errors);
  return {
    dryRun: dryRun.length > 0 || request.dryRun,
    uid: member(preconditions, 'uid', 'string') ?? request.uid,
    resourceVersion: member(preconditions, 'resourceVersion', 'string') ?? request.atVersion,
    propagationPolicy: propagationPolicy ?? '',
    orphanDependents,
    gracePeriodSeconds: gracePeriodSeconds ?? request.gracePeriodSeconds,
    view: viewOf(request),
    user: request.user,
    isAudited: request.isAudited,
    isAdmitted: request.isAdmitted,
  };
}

const NO_MEMBERS: Record<string, unknown> = {};

function viewOf({ version, form }: View): View {
  return {
    ...(version !== undefined && { version }),
    ...(form !== undefined && { form }),
  };
}

/** `dryRun`, which may be absent. Throws StatusError 500 for what is no list. */
function textsOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw undecodable('dryRun', valueKind(value), '[]string');
  return value;
}

interface MemberTypes {
  string: string;
  number: number;
  boolean: boolean;
  object: Record<string, unknown>;
}

function member<T extends keyof MemberTypes>(
  members: Record<string, unknown>,
  name: string,
  type: T,
): MemberTypes[T] | undefined {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== type || Array.isArray(value)) {
    throw undecodable(name, valueKind(value), GO_TYPES[type]);
  }
  return value as MemberTypes[T];
}

const GO_TYPES: Readonly<Record<keyof MemberTypes, string>> = {
  string: 'string',
  number: 'int64',
  boolean: 'bool',
  object: 'v1.Preconditions',
};

function undecodable(name: string, found: string, type: string): StatusError {
  const field = `DeleteOptions.${name}`;
  return unreadable(
    `json: cannot unmarshal ${found} into Go struct field ${field} of type ${type}`,
  );
}

/** Whose mistake a body is that cannot be read. */
const unreadable = ownRelease().has('readDeleteOptions') ? badRequest : serverFailure;

/** The body as JSON. */
function optionsText(shard: Shard, request: DeleteRequest, body: Uint8Array): string {
  if (request.format !== 'protobuf') {
    return bodyText('DeleteOptions', body, request).json;
  }
  const { json, protobuf } = shard.kind.deleteOptions;
  try {
    const { kind, apiVersion, raw } = unwrapProtobuf(body);
    const { object } = json.decode(`{${json.encode(protobuf.decode(raw))}`);
    return JSON.stringify({ kind, apiVersion, ...object });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(error.message);
  }
}

/** The type of a body, which the reference looks for first, with its messages. */
const TYPE_OF_ANY =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; ' +
  'Kind string "json:\\"kind,omitempty\\"" }';

/** The body may name the kind, which is the same in whatever version. */
function parseOptions(text: string): Record<string, unknown> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw unreadable(noType(jsonSyntaxError(text)));
  }
  const found = valueKind(document);
  if (document === null) return NO_MEMBERS;
  if (found !== 'object') {
    throw unreadable(noType(valueMismatch(found, TYPE_OF_ANY).message));
  }
  const members = document as Record<string, unknown>;
  const sentKind = member(members, 'kind', 'string') ?? '';
  const sentVersion = member(members, 'apiVersion', 'string') ?? '';
  if (sentVersion.split('/').length > 2) {
    throw unreadable(`unexpected GroupVersion string: ${sentVersion}`);
  }
  if (sentKind !== '' && sentKind !== 'DeleteOptions') {
    const shownVersion = sentVersion === '' ? 'v1' : sentVersion;
    throw unreadable(`no kind "${sentKind}" is registered for version "${shownVersion}" in scheme`);
  }
  return members;
}
