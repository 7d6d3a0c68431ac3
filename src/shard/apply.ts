/**
 * apply: server-side apply. The configuration of one manager becomes a part of the object, which is
 * created when it is missing; conflicts with other managers are refused
 * (src/semantics/fields/README.md#apply).
 */
import type { Answer } from '../actors/link.ts';
import { DecodeError, valueKind } from '../codec/go-errors.ts';
import { JSON_DEPTH_MAX, nestsTooDeep, TOO_DEEP } from '../codec/json-syntax.ts';
import type { Members } from '../codec/schema-model.ts';
import { yamlRead, type ReadYaml } from '../codec/read-yaml.ts';
import { hasControlCharacter, YamlError } from '../codec/yaml-document.ts';
import { YAML_BODY_BYTES_MAX } from '../limits.ts';
import { managedFieldsOf, ownersOfApply, versionConverter } from '../types/field-owners.ts';
import type { ApiObject } from '../resources/kind.ts';
import type { ResourceType } from '../types/resource-type.ts';
import type { Scale } from '../types/scale-mapping.ts';
import type { Track } from '../types/prepare-object.ts';
import type { ServedVersion } from '../types/served-version.ts';
import { ApplyConflictError, applyConfig, type Applied } from '../semantics/fields/apply.ts';
import { parseManagedFields, type ManagedEntry } from '../semantics/fields/managed-fields.ts';
import { checkDocument } from '../semantics/fields/check-document.ts';
import { LiveTypedError, TypedError } from '../semantics/fields/typed-error.ts';
import { storedManagedFields } from '../semantics/object-meta.ts';
import {
  documentText,
  holdsLongNumbers,
  isMembers,
  memberOf,
  parseDocument,
} from '../semantics/patch/document.ts';
import {
  applyConflict,
  badRequest,
  conflict,
  notFound,
  requestEntityTooLarge,
  serverFailure,
  type StatusError,
} from '../semantics/status.ts';
import { isUncontested } from './admission.ts';
import { createObject } from './create.ts';
import { kindOf, latestIn, replyWith } from './converting.ts';
import { checkIdentity, receivedJson, receivedText } from './decode-body.ts';
import { restoreRawJson } from './restore-raw-json.ts';
import type { Latest } from './latest.ts';
import type { Shard } from './shard.ts';
import type { ObjectReply, PatchRequest } from './shard-protocol.ts';
import { replace, updateWarnings } from './update.ts';
import { replyUnchanged } from './write-update.ts';
import { objectReply } from './object-reply.ts';
import { writerOf } from './record-owners.ts';

/** A Scale of a custom type cannot be applied, here nor in the reference. */
const CUSTOM_SCALE_APPLIED =
  'failed to create manager for existing fields: failed to convert live object ' +
  '(/; autoscaling/v1, Kind=Scale) to proper version: ' +
  'request to convert CR to an invalid group/version: autoscaling/v1';

/** Throws StatusError 400, 404, 409, 422 or 500; otherwise answers 200 or 201 after the commit. */
export function apply(
  shard: Shard,
  request: PatchRequest,
  body: Uint8Array,
  answer: Answer<ObjectReply>,
): void {
  const kind = kindOf(shard, request);
  const version = kind.version(request.version);
  const key = shard.keyOf(request.namespace, request.name);
  const isScale = request.subresource === 'scale';
  if (request.subresource !== '' && !shard.exists(key)) {
    throw notFound(version.resource, request.name);
  }
  const served = kind.servedAs(request);
  const { config, hasShortNumbers, warnings } = readConfig(served, body, request);
  if (isScale && kind.definition.message === '') throw serverFailure(CUSTOM_SCALE_APPLIED);
  const given = isScale ? configOfScale(served, version, config) : config;
  const stored = latestIn(shard, key, kind);
  const before = stored ? parseManagedFields(storedManagedFields(stored.object.metadata)) : [];
  const { document, entries, changes, live } = applied(shard, request, given, stored, before);
  // What is sent beside a status is not looked at.
  if (stored !== undefined && !changes && request.subresource !== 'status') {
    checkIdentity(kind.definition, identityOf(given, request), request);
  }
  if (stored !== undefined && !changes && isUncontested(shard, 'UPDATE', request)) {
    const { document: whole } = shard.representations.of(request);
    const { object } = stored;
    const ofKind = updateWarnings(shard, request, object, object) ?? [];
    const told = [...warnings, ...ofKind];
    replyUnchanged(shard, key, stored, answer, (bytes, rv) =>
      replyWith(answer, objectReply(200, told), () => whole(bytes, rv)),
    );
    return;
  }
  const isPlain = hasShortNumbers && (stored === undefined || stored.members !== undefined);
  const object =
    stored !== undefined && version.conversion !== undefined && document === live
      ? copyOf(stored.object)
      : objectOf(version, document, isPlain, given);
  if (stored && stored.members === undefined) restoreRawJson(object, stored.object);
  checkIdentity(kind.definition, object, request);
  if (stored === undefined) {
    checkNoUid(object, version, request.name);
    const track: Track = () => managedFieldsOf(entries);
    createObject(shard, request, { object, warnings }, answer, track, { key, rv: 0 });
    return;
  }
  const written = { object: isScale ? scaleOf(object) : object, warnings };
  const track: Track = (updated) => ownersOfApply(updated, stored.object, before, entries);
  const put = (): void => replace(shard, request, written, stored, answer, track);
  shard.writeSteps.next(answer, put, { key, rv: stored.rv });
}

interface Configuration {
  readonly config: Members;
  /** Whether all numbers fit doubles, so that none is kept as text. */
  readonly hasShortNumbers: boolean;
  /** The warnings of `fieldValidation=Warn`. */
  readonly warnings: readonly string[];
}

type Served = ReturnType<ResourceType['servedAs']>;

/** Throws StatusError 400. */
function readConfig(
  served: Served,
  body: Uint8Array,
  { fieldValidation = 'Ignore', yaml }: PatchRequest,
): Configuration {
  const text = receivedText(body);
  const isStrict = fieldValidation !== 'Ignore';
  const { document, problems: inYaml } = parseConfig(text, isStrict, yaml);
  const config = document === null ? {} : document;
  if (!isMembers(config)) {
    throw badRequest(
      'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ' +
        `${valueKind(config)} into Go value of type map[string]interface {}`,
    );
  }
  checkConfig(served, config);
  const hasShortNumbers = !holdsLongNumbers(text);
  if (!isStrict) return { config, hasShortNumbers, warnings: NO_WARNINGS };
  const problems =
    inYaml ?? served.strictProblems(text).filter((problem) => problem.startsWith('duplicate '));
  if (fieldValidation === 'Warn' || problems.length === 0) {
    return { config, hasShortNumbers, warnings: problems };
  }
  const why = ['yaml: unmarshal errors:', ...problems].join('\n  ');
  throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${why}`);
}

const NO_WARNINGS: readonly string[] = Object.freeze([]);

/** The name and namespace that a configuration gives: those of the URL where it leaves them out. */
function identityOf({ metadata }: Members, { name }: PatchRequest): ApiObject {
  return { metadata: { name, ...(isMembers(metadata) && metadata) } } as ApiObject;
}

/**
 * What a configuration says, and what strict decoding finds in YAML. JSON is YAML too, and much
 * faster to read as what it is: only YAML must be short.
 */
function parseConfig(
  text: string,
  isStrict: boolean,
  yaml: ReadYaml | undefined,
): { document: unknown; problems?: readonly string[] } {
  if (text.trimStart().startsWith('{') && !hasControlCharacter(text)) {
    try {
      const document = parseDocument(receivedJson(text));
      if (nestsTooDeep(text)) throw notYaml(`yaml: ${TOO_DEEP} of ${JSON_DEPTH_MAX}`);
      return { document };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  if (text.length > YAML_BODY_BYTES_MAX) throw requestEntityTooLarge(YAML_BODY_BYTES_MAX);
  try {
    const { json, problems } = yamlRead(text, isStrict, yaml);
    return { document: parseDocument(receivedJson(json)), problems };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw notYaml(error.message);
  }
}

function notYaml(why: string): StatusError {
  return badRequest(`error decoding YAML: error converting YAML to JSON: ${why}`);
}

/** Checks that a configuration names its kind and version, and brings no managedFields. */
function checkConfig(served: Served, config: Members): void {
  const apiVersion = textMember(config, 'apiVersion');
  if (apiVersion !== served.groupVersion) {
    throw badRequest(
      'Incorrect version specified in apply patch. ' +
        `Specified patch version: ${apiVersion}, expected: ${served.groupVersion}`,
    );
  }
  if (Array.isArray(membersOf(config, 'metadata')['managedFields'])) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const kind = textMember(config, 'kind');
  if (kind === served.kind) return;
  const sent = { kind, groupVersion: served.groupVersion };
  throw notTyped(sent, config, `no corresponding type for ${typeText(sent)}`);
}

function textMember(members: Members, name: string): string {
  const value = memberOf(members, name);
  return typeof value === 'string' ? value : '';
}

function membersOf(members: Members, name: string): Members {
  const value = memberOf(members, name);
  return isMembers(value) ? value : {};
}

/**
 * The configuration of the object that a configuration of its Scale means. Throws StatusError 500.
 */
function configOfScale(served: Served, version: ServedVersion, scale: Members): Members {
  typed(served, scale, () => checkDocument(served.fieldTypes, scale));
  const { name, namespace, uid, resourceVersion } = membersOf(scale, 'metadata');
  const { replicas } = membersOf(scale, 'spec');
  return {
    apiVersion: version.groupVersion,
    kind: version.kind,
    metadata: withoutUndefined({ name, namespace, uid, resourceVersion }),
    spec: withoutUndefined({ replicas }),
  };
}

function withoutUndefined(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** The Scale of an object, with what is written through it. */
function scaleOf({ metadata, spec }: ApiObject): Scale {
  const { name, namespace, uid, resourceVersion } = metadata;
  const { replicas } = (spec ?? {}) as { replicas?: number };
  return {
    metadata: { name, namespace, uid, resourceVersion },
    spec: replicas === undefined ? {} : { replicas },
  };
}

/** Applies the configuration to the object and its owners. */
interface Result extends Applied {
  readonly changes: boolean;
  /** The document of the stored object; where nothing of it changes, `document` is the same. */
  readonly live: Members | undefined;
}

function liveDocument(version: ServedVersion, { members, rest }: Latest): Members {
  const document = members && version.documentOf(members);
  return document ?? (parseDocument(version.documentText(rest)) as Members);
}

/** Throws StatusError 409 or 500. */
function applied(
  shard: Shard,
  request: PatchRequest,
  config: Members,
  stored: Latest | undefined,
  entries: readonly ManagedEntry[],
): Result {
  const kind = kindOf(shard, request);
  const version = kind.version(request.version);
  const live = stored && liveDocument(version, stored);
  const judged = (): Result => {
    const after = applyConfig({
      live,
      config,
      entries,
      writer: writerOf(shard, request),
      force: request.force,
      versions: versionConverter(kind),
      ownable: kind.ownable(request.subresource, request.version),
      emptyObject: version.emptyDocument,
      tellsEmpty: kind.definition.tellsEmpty === true,
    });
    const changes = after.document !== live || after.entries !== entries;
    return { ...after, changes, live };
  };
  try {
    return typed(version, config, judged);
  } catch (error) {
    if (error instanceof ApplyConflictError) {
      const { message, causes } = error;
      const reason = 'FieldManagerConflict';
      throw applyConflict(
        message,
        causes.map((cause) => ({ reason, ...cause })),
      );
    }
    if (!(error instanceof LiveTypedError)) throw error;
    const what = objectText(version, live ?? {});
    throw serverFailure(
      entries.length > 0
        ? `failed to create typed live object (${what}): ${error.message}`
        : 'failed to create manager for existing fields: ' +
            `failed to convert new object (${what}) to smd typed: ${error.message}`,
    );
  }
}

function typed<T>(
  served: Pick<Served, 'kind' | 'groupVersion'>,
  config: Members,
  work: () => T,
): T {
  try {
    return work();
  } catch (error) {
    // Other versions of the kind may see that a value is none of its kind.
    if (error instanceof DecodeError) throw notConverted(served, config, error);
    if (!(error instanceof TypedError) || error instanceof LiveTypedError) throw error;
    throw notTyped(served, config, error.message);
  }
}

function notTyped(type: Type, config: Members, why: string): Error {
  return serverFailure(`failed to create typed patch object (${objectText(type, config)}): ${why}`);
}

type Type = Pick<Served, 'kind' | 'groupVersion'>;

/** As errors name an object: `ns/name; apps/v1, Kind=Deployment`. */
function objectText(type: Type, object: Members): string {
  const metadata = membersOf(object, 'metadata');
  const names = `${textMember(metadata, 'namespace')}/${textMember(metadata, 'name')}`;
  return `${names}; ${typeText(type)}`;
}

function typeText({ kind, groupVersion }: Type): string {
  const version = groupVersion.includes('/') ? groupVersion : `/${groupVersion}`;
  return `${version}, Kind=${kind}`;
}

/**
 * The object as it is, without what its version sets by default: another one is stored, and does
 * not have it.
 */
function copyOf({ metadata, ...members }: ApiObject): ApiObject {
  return { ...members, metadata: { ...metadata, managedFields: undefined } };
}

/** Throws StatusError 500 for values that have the right type and are none of their kind. */
function objectOf(
  version: ServedVersion,
  document: Members,
  isPlain: boolean,
  config: Members,
): ApiObject {
  try {
    const textOf = (): string => documentText(document);
    // Who applies null means it, as in the reference.
    const decoded = isPlain
      ? version.decodeDocument(document, textOf, true)
      : version.decode(textOf(), true);
    return decoded.object as ApiObject;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw notConverted(version, config, error);
  }
}

function notConverted(
  served: Pick<Served, 'kind' | 'groupVersion'>,
  object: Members,
  { message }: DecodeError,
): StatusError {
  const what = objectText(served, object);
  const type = what.slice(what.indexOf('; ') + 2);
  return serverFailure(
    `failed to convert new object (${what}) to proper version: ` +
      `unable to convert unstructured object to ${type}: ${message}`,
  );
}

function checkNoUid({ metadata: { uid } }: ApiObject, version: ServedVersion, name: string): void {
  if (uid === undefined) return;
  const sent = `the provided object specified uid ${uid}`;
  const why = `uid mismatch: ${sent}, and no existing object was found`;
  throw conflict(version.resource, name, why);
}
