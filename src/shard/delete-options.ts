/** DeleteOptions from the query or the body (API-FACTS 4.1). */
import { DecodeError } from '../codec/go-errors.ts';
import { unwrapProtobuf } from '../codec/protobuf-envelope.ts';
import { dryRunError } from '../semantics/dry-run.ts';
import { invalid, invalidObject, notSupported } from '../semantics/field-error.ts';
import type { FieldError } from '../semantics/field-error.ts';
import { badRequest, serverFailure } from '../semantics/status.ts';
import type { StatusError } from '../semantics/status.ts';
import { bodyText } from './decode-body.ts';
import type { Shard } from './shard.ts';
import type { DeleteRequest, View } from './shard-protocol.ts';

export interface DeleteOptions {
  readonly dryRun: boolean;
  /** Preconditions; '' when absent. */
  readonly uid: string;
  readonly resourceVersion: string;
  readonly propagationPolicy: string;
  readonly orphanDependents: boolean | undefined;
  /** Seconds that a graceful deletion waits; undefined for what the kind says. */
  readonly gracePeriodSeconds: number | undefined;
  /** How the answer shows the object. */
  readonly view: View;
}

const PROPAGATION_POLICIES = ['Foreground', 'Background', 'Orphan'] as const;

/** A body that is not empty replaces the query. Throws StatusError 400 or 500. */
export function deleteOptions(
  shard: Shard,
  request: DeleteRequest,
  body: Uint8Array,
): DeleteOptions {
  const view = viewOf(request);
  if (body.length === 0) {
    const { dryRun, propagationPolicy, orphanDependents, gracePeriodSeconds } = request;
    return {
      dryRun,
      uid: '',
      resourceVersion: '',
      propagationPolicy,
      orphanDependents,
      gracePeriodSeconds,
      view,
    };
  }
  const members = parseOptions(optionsText(shard, request, body));
  const gracePeriodSeconds = member(members, 'gracePeriodSeconds', 'number');
  if (gracePeriodSeconds !== undefined && !Number.isInteger(gracePeriodSeconds)) {
    throw undecodable('gracePeriodSeconds', gracePeriodSeconds, 'int64');
  }
  const preconditions = member(members, 'preconditions', 'object') ?? {};
  return {
    dryRun: isDryRun(members['dryRun']),
    uid: member(preconditions, 'uid', 'string') ?? '',
    resourceVersion: member(preconditions, 'resourceVersion', 'string') ?? '',
    propagationPolicy: member(members, 'propagationPolicy', 'string') ?? '',
    orphanDependents: member(members, 'orphanDependents', 'boolean'),
    gracePeriodSeconds,
    view,
  };
}

function viewOf({ version, form, internal }: View): View {
  return {
    ...(version !== undefined && { version }),
    ...(form !== undefined && { form }),
    ...(internal && { internal }),
  };
}

/** Throws StatusError 422 for values that are not allowed. */
export function checkOptions({ propagationPolicy, orphanDependents }: DeleteOptions): void {
  const errors: FieldError[] = [];
  if (propagationPolicy !== '' && orphanDependents !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalid('propagationPolicy', propagationPolicy, detail));
  } else if (
    propagationPolicy !== '' &&
    !(PROPAGATION_POLICIES as readonly string[]).includes(propagationPolicy)
  ) {
    const supported = [...PROPAGATION_POLICIES, 'nil'];
    errors.push(notSupported('propagationPolicy', propagationPolicy, supported));
  }
  if (errors.length > 0) throw invalidObject('meta.cluster.io', 'DeleteOptions', '', errors);
}

/** `dryRun` may be absent or `["All"]`; throws StatusError 422 for anything else. */
function isDryRun(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (!Array.isArray(value)) throw undecodable('dryRun', value, '[]string');
  const unsupported = dryRunError(value);
  if (unsupported === undefined) return value.length > 0;
  throw invalidObject('meta.cluster.io', 'DeleteOptions', '', [unsupported]);
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
  if (typeof value !== type || Array.isArray(value)) throw undecodable(name, value, type);
  return value as MemberTypes[T];
}

function undecodable(name: string, value: unknown, type: string): StatusError {
  const found = Array.isArray(value) ? 'array' : typeof value;
  const field = `DeleteOptions.${name}`;
  return serverFailure(
    `json: cannot unmarshal ${found} into Go struct field ${field} of type ${type}`,
  );
}

/** The body as JSON. */
function optionsText(shard: Shard, request: DeleteRequest, body: Uint8Array): string {
  const dialect = shard.dialectOf(request);
  if (request.format !== 'protobuf') {
    return dialect.document('DeleteOptions', bodyText('DeleteOptions', body, request.format));
  }
  const { json, protobuf } = shard.kind.deleteOptions;
  try {
    const { kind, apiVersion, raw } = unwrapProtobuf(body);
    const type = { kind, apiVersion: dialect.groupVersion(apiVersion) };
    const { object } = json.decode(`{${json.encode(protobuf.decode(raw))}`);
    return JSON.stringify({ ...type, ...object });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(error.message);
  }
}

/** The body may name the kind, which is the same in whatever version. */
function parseOptions(text: string): Record<string, unknown> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const why = error instanceof DecodeError ? error.message : 'invalid JSON';
    throw badRequest(`couldn't get version/kind; json parse error: ${why}`);
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw badRequest(`couldn't get version/kind; json parse error: not an object`);
  }
  const members = document as Record<string, unknown>;
  const sentKind = member(members, 'kind', 'string') ?? '';
  const sentVersion = member(members, 'apiVersion', 'string') ?? '';
  if (sentVersion.split('/').length > 2) {
    throw serverFailure(`unexpected GroupVersion string: ${sentVersion}`);
  }
  if (sentKind !== '' && sentKind !== 'DeleteOptions') {
    const shownVersion = sentVersion === '' ? 'v1' : sentVersion;
    throw serverFailure(
      `no kind "${sentKind}" is registered for version "${shownVersion}" in scheme`,
    );
  }
  return members;
}
