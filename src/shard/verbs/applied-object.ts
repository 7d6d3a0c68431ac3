/** Applies a configuration to an object (src/semantics/fields/README.md#apply). */
import { DecodeError, valueKind } from '../../codec/json/go-errors.ts';
import { JSON_DEPTH_MAX, nestsTooDeep, TOO_DEEP } from '../../codec/json/json-syntax.ts';
import { goesBeyondDoubles, yamlRead, type ReadYaml } from '../../codec/yaml/read-yaml.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import { hasControlCharacter, YamlError } from '../../codec/yaml/yaml-document.ts';
import { ownRelease } from '../../release/release.ts';
import { YAML_BODY_BYTES_MAX } from '../../limits.ts';
import type { ApiObject } from '../../resources/kind.ts';
import {
  ApplyConflictError,
  applyConfig,
  type Applied,
  type ApplyInput,
} from '../../semantics/fields/apply.ts';
import { checkDocument } from '../../semantics/fields/check-document.ts';
import { parseManagedFields, type ManagedEntry } from '../../semantics/fields/managed-fields.ts';
import type { Writer } from '../../semantics/fields/track-update.ts';
import { LiveTypedError, TypedError } from '../../semantics/fields/typed-error.ts';
import { storedManagedFields } from '../../semantics/metadata/object-meta.ts';
import {
  documentText,
  holdsLongNumbers,
  isMembers,
  memberOf,
  parseDocument,
} from '../../semantics/patch/document.ts';
import {
  applyConflict,
  badRequest,
  requestEntityTooLarge,
  serverFailure,
  type StatusError,
} from '../../semantics/errors/status.ts';
import { versionConverter } from '../../types/field-owners.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import type { ServedVersion } from '../../types/served-version.ts';
import { receivedJson, receivedText } from '../../proposals/decode-body.ts';
import type { Latest } from '../log/latest.ts';
import { restoreRawJson } from '../write/restore-raw-json.ts';
import type { PatchRequest } from '../../protocol/shard-protocol.ts';

interface Configuration {
  readonly config: Members;
  /** Whether all numbers fit doubles, so that none is kept as text. */
  readonly hasShortNumbers: boolean;
  /** The warnings of `fieldValidation=Warn`. */
  readonly warnings: readonly string[];
}

type Served = ReturnType<ResourceType['servedAs']>;

/** Throws StatusError 400. */
export function readConfig(
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
      `error decoding ${CALLED}: error unmarshaling JSON: while decoding JSON: ` +
        `json: cannot unmarshal ${valueKind(config)} into Go value of type map[string]interface {}`,
    );
  }
  checkConfig(served, config);
  const hasShortNumbers = !holdsLongNumbers(text);
  if (!isStrict) return { config, hasShortNumbers, warnings: NO_WARNINGS };
  const problems = inYaml ?? repeatedMembers(served, text);
  if (fieldValidation === 'Warn' || problems.length === 0) {
    return { config, hasShortNumbers, warnings: problems };
  }
  const why = ['yaml: unmarshal errors:', ...problems].join('\n  ');
  throw badRequest(`error strict decoding ${CALLED}: error converting YAML to JSON: ${why}`);
}

const TELLS_LINES = ownRelease().has('warnedOfMembers');

/** The members of JSON that come twice, which is read as YAML for it where a release does so. */
function repeatedMembers(served: Served, text: string): readonly string[] {
  const problems = served.strictProblems(text).filter((one) => one.startsWith('duplicate '));
  if (problems.length === 0 || !TELLS_LINES || text.length > YAML_BODY_BYTES_MAX) return problems;
  return yamlRead(text, true, undefined).problems;
}

/** Patches are read before anything else. */
const READS_FIRST = ownRelease().has('readPatchesFirst');
const CALLED = READS_FIRST ? 'patch' : 'YAML';

/**
 * Where patches are read before anything else, throws StatusError 400 for one that is no YAML; what
 * begins like JSON is taken for it, and read later.
 */
export function checkReadable(body: Uint8Array, { yaml }: PatchRequest): void {
  const text = receivedText(body);
  if (READS_FIRST && !BEGINS_JSON.test(text)) parseConfig(text, false, yaml);
}

const BEGINS_JSON = /^\s*\{/;

const NO_WARNINGS: readonly string[] = Object.freeze([]);

/** The name and namespace that a configuration gives: those of the URL where it leaves them out. */
export function identityOf({ metadata }: Members, { name }: PatchRequest): ApiObject {
  return { metadata: { name, ...(isMembers(metadata) && metadata) } } as ApiObject;
}

/**
 * Reads a configuration, with the findings of strict decoding in YAML. JSON is YAML too, and much
 * faster to read as what it is: only YAML must be short.
 */
function parseConfig(
  text: string,
  isStrict: boolean,
  yaml: ReadYaml | undefined,
): { document: unknown; problems?: readonly string[] } {
  if (isReadAsJson(text)) {
    try {
      const document = parseDocument(receivedJson(text));
      if (nestsTooDeep(text)) throw notYaml(text, `yaml: ${TOO_DEEP} of ${JSON_DEPTH_MAX}`);
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
    throw notYaml(text, error.message);
  }
}

function isReadAsJson(text: string): boolean {
  if (!text.trimStart().startsWith('{') || hasControlCharacter(text)) return false;
  return text.length > YAML_BODY_BYTES_MAX || !goesBeyondDoubles(text);
}

function notYaml(text: string, why: string): StatusError {
  // A text that begins like JSON is taken for it at first.
  if (READS_FIRST && !BEGINS_JSON.test(text)) return badRequest(`error encoding patch: ${why}`);
  return badRequest(`error decoding ${CALLED}: error converting YAML to JSON: ${why}`);
}

/** Checks that a configuration names its kind and version, and brings no managedFields. */
function checkConfig(served: Served, config: Members): void {
  const apiVersion = textMember(config, 'apiVersion');
  if (CHECKS_TYPES) refuseOtherConfig(served, apiVersion, textMember(config, 'kind'));
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

const CHECKS_TYPES = ownRelease().has('typesOfApplied');

/** Throws StatusError 400 for a configuration of another kind or version. */
function refuseOtherConfig(served: Served, apiVersion: string, kind: string): void {
  if (apiVersion === served.groupVersion && kind === served.kind) return;
  const parts = apiVersion.split('/');
  // A text that cannot be read as a version leaves no type at all.
  const type =
    parts.length > 2
      ? '/, Kind='
      : `${parts.length === 2 ? parts.join('/') : `/${apiVersion}`}, Kind=${kind}`;
  throw badRequest(`invalid object type: ${type}`);
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
export function configOfScale(served: Served, version: ServedVersion, scale: Members): Members {
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

/** Throws StatusError 500 for values of a Scale of the right type that are none of their kind. */
export function checkScale(served: Served, scale: Members): void {
  typed(served, scale, () => served.decode(documentText(scale)));
}

function withoutUndefined(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** The result of a configuration: an object and its owners. */
export interface AppliedConfig extends Applied {
  /** The owners of the stored object. */
  readonly before: readonly ManagedEntry[];
  readonly changes: boolean;
  /** The document of the stored object; where nothing of it changes, `document` is the same. */
  readonly live: Members | undefined;
}

function liveDocument(version: ServedVersion, { members, rest }: Latest): Members {
  const document = members && version.documentOf(members);
  return document ?? (parseDocument(version.documentText(rest)) as Members);
}

/** Throws StatusError 409 or 500, and ConversionNeeded. It uses up the parsed stored object. */
export function appliedConfig(
  kind: ResourceType,
  request: PatchRequest,
  config: Members,
  stored: Latest | undefined,
  writer: Writer,
): AppliedConfig {
  const before = stored ? parseManagedFields(storedManagedFields(stored.object.metadata)) : [];
  const version = kind.version(request.version);
  const live = stored && liveDocument(version, stored);
  const judged = (): AppliedConfig => {
    const after = appliedTo({
      live,
      config,
      entries: before,
      writer,
      force: request.force,
      versions: versionConverter(kind),
      ownable: kind.ownable(request.subresource, request.version),
      emptyObject: version.emptyDocument,
      tellsEmpty: kind.definition.tellsEmpty === true,
    });
    const changes = after.document !== live || after.entries !== before;
    return { ...after, before, changes, live };
  };
  try {
    return typed(version, config, judged);
  } catch (error) {
    if (!(error instanceof LiveTypedError)) throw error;
    const what = objectText(version, live ?? {});
    throw serverFailure(
      before.length > 0
        ? `failed to create typed live object (${what}): ${error.message}`
        : 'failed to create manager for existing fields: ' +
            `failed to convert new object (${what}) to smd typed: ${error.message}`,
    );
  }
}

/** What an apply makes of an object and its owners. Throws StatusError 409. */
export function appliedTo(input: ApplyInput): Applied {
  try {
    return applyConfig(input);
  } catch (error) {
    if (!(error instanceof ApplyConflictError)) throw error;
    const { message, causes } = error;
    const reason = 'FieldManagerConflict';
    throw applyConflict(
      message,
      causes.map((cause) => ({ reason, ...cause })),
    );
  }
}

/** Throws StatusError 500 for what is wrong with the types of values. */
export function typed<T>(
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
export function objectText(type: Type, object: Members): string {
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

/**
 * The object that is to be written, in its version. Throws StatusError 500 for values that have the
 * right type and are none of their kind.
 */
export function appliedObject(
  version: ServedVersion,
  config: Members,
  stored: Latest | undefined,
  { document, live }: AppliedConfig,
  hasShortNumbers: boolean,
): ApiObject {
  const isPlain = hasShortNumbers && (stored === undefined || stored.members !== undefined);
  const object =
    stored !== undefined && version.conversion !== undefined && document === live
      ? copyOf(stored.object)
      : objectOf(version, document, isPlain, config);
  if (stored && stored.members === undefined) restoreRawJson(object, stored.object);
  return object;
}

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
