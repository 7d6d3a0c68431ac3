/** Applies a patch to an object (src/semantics/patch/README.md#patch-types). */
import { appendAll } from '../../base/append-all.ts';
import { assert } from '../../base/assert.ts';
import { DecodeError } from '../../codec/json/go-errors.ts';
import { jsonSyntaxError, nestsTooDeep, TOO_DEEP } from '../../codec/json/json-syntax.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import { countMembers, membersWithin } from '../../codec/json/member-count.ts';
import { strictDecodingError } from '../../codec/json/strict-check.ts';
import { ownRelease } from '../../release/release.ts';
import { CAUSES_CHARACTERS_MAX } from '../../limits.ts';
import type { ApiObject } from '../../resources/kind.ts';
import type { ResourceType } from '../../types/resource-type.ts';
import { invalid, invalidObject } from '../../semantics/errors/field-error.ts';
import { storedManagedFields } from '../../semantics/metadata/object-meta.ts';
import {
  documentText,
  holdsLongNumbers,
  isMembers,
  numberBeyondDoubles,
  parseDocument,
} from '../../semantics/patch/document.ts';
import { goValueText } from '../../semantics/patch/go-value-text.ts';
import { applyJsonPatch, parseJsonPatch } from '../../semantics/patch/json-patch.ts';
import { applyMergePatch, parseMergePatch } from '../../semantics/patch/merge-patch.ts';
import { PatchError } from '../../semantics/patch/patch-error.ts';
import {
  jsonPatchProblems,
  repeatedInPatch,
  strictPatchError,
} from '../../semantics/patch/strict-patch.ts';
import { applyStrategicPatch } from '../../semantics/patch/strategic-patch.ts';
import { badRequest, patchRefused } from '../../semantics/errors/status.ts';
import {
  receivedJson,
  receivedText,
  refuseOtherType,
  type DecodedBody,
} from '../../proposals/decode-body.ts';
import { restoreRawJson } from '../write/restore-raw-json.ts';
import type { Latest } from '../log/latest.ts';
import type { PatchRequest, PatchType } from '../../protocol/shard-protocol.ts';

/** The object with the patch applied to it, decoded. Throws StatusError 400, 413, 422 or 500. */
export function patchedObject(
  kind: ResourceType,
  request: PatchRequest,
  body: Uint8Array,
  stored: Latest,
): DecodedBody {
  const text = receivedJson(receivedText(body));
  const served = kind.servedAs(request);
  const { patchType, fieldValidation = 'Ignore' } = request;
  if (fieldValidation !== 'Ignore') refuseUndecodable(patchType, text);
  // JSON and merge patches without that member leave the owners alone, so the long list need not be
  // parsed.
  const isAboutOwners = patchType === 'json' || text.includes('managedFields');
  const before = (): unknown => documentOf(served, stored, isAboutOwners);
  const patched = refusing(() => patchedDocument(request, served, before, text));
  const { document } = patched;
  const mayBePlain = stored.members !== undefined && !holdsLongNumbers(text);
  const textOf = (): string => documentText(document);
  try {
    const decoded = mayBePlain ? served.decodeDocument(document, textOf) : served.decode(textOf());
    refuseOtherType(served, decoded);
    // The result of a strategic merge patch is of the type of the object, whatever it says.
    const problem = patchType === 'strategic' ? '' : served.typeProblem(decoded);
    if (problem !== '') throw new DecodeError(problem);
    const object = decoded.object as ApiObject;
    if (stored.members === undefined) restoreRawJson(object, stored.object);
    if (fieldValidation === 'Ignore') return { object, warnings: NO_WARNINGS };
    const found = patched.isSimple ? [] : problemsOf(patchType, text);
    // Counting says sooner than looking that all members are known.
    const isKnown = decoded.membersRead === membersWithin(document);
    if (!isKnown) appendAll(found, served.strictProblems(textOf()));
    if (fieldValidation === 'Warn' || found.length === 0) return { object, warnings: found };
    throw new DecodeError(strictDecodingError([], found));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    // Parts of a strategic patch may have become parts of the document, so it is parsed again.
    const value = patchType === 'strategic' ? goValueText(parseDocument(text)) : textOf();
    // The document is cut: in message and cause it would be many times its own length.
    const told = value.slice(0, CAUSES_CHARACTERS_MAX);
    throw invalidObject('', '', '', [invalid('patch', told, error.message)]);
  }
}

/** The object as the client sees it. It uses up the parsed stored object. */
function documentOf(served: Served, stored: Latest, withOwners: boolean): unknown {
  const document = stored.members && served.documentOf(stored.members);
  if (document === undefined) {
    return parseDocument(served.documentText(withOwners ? stored.wire : stored.rest));
  }
  const owners = storedManagedFields(stored.object.metadata);
  if (withOwners && owners !== '') {
    (document['metadata'] as Members)['managedFields'] = JSON.parse(owners);
  }
  return document;
}

const CHECKS_TYPES = ownRelease().has('warnedOfMembers');

/** Strict decoding has its own words, where a release has it by default. */
function refuseUndecodable(patchType: PatchType, text: string): void {
  if (!CHECKS_TYPES || (patchType !== 'json' && patchType !== 'merge')) return;
  const error = strictPatchError(patchType, text);
  if (error !== '') throw badRequest(`error decoding patch: ${error}`);
}

const NO_WARNINGS: readonly string[] = Object.freeze([]);

type Served = ReturnType<ResourceType['servedAs']>;

interface Patched {
  readonly document: unknown;
  /** Whether strict decoding has nothing to say of the patch itself, as far as is known. */
  readonly isSimple: boolean;
}

function patchedDocument(
  { patchType, fieldValidation = 'Ignore' }: PatchRequest,
  served: Served,
  before: () => unknown,
  text: string,
): Patched {
  if (patchType === 'json') {
    const operations = parseJsonPatch(text);
    return { document: applyJsonPatch(before(), operations), isSimple: false };
  }
  const patch = patchType === 'merge' ? parseMergePatch(text) : parseStrategicPatch(text);
  // Parts of the patch may become parts of the document, so this is asked before that.
  const isSimple = fieldValidation !== 'Ignore' && membersWithin(patch) === countMembers(text);
  if (patchType === 'merge') return { document: applyMergePatch(before(), patch), isSimple };
  const { strategicPlan } = served;
  assert(strategicPlan !== undefined, `${served.kind} takes no strategic merge patches`);
  return { document: applyStrategicPatch(strategicPlan, before() as Members, patch), isSimple };
}

function parseStrategicPatch(text: string): unknown {
  if (nestsTooDeep(text)) throw badRequest(TOO_DEEP);
  const patch = parsedPatch(text);
  const number =
    holdsLongNumbers(text) && isMembers(patch) ? numberBeyondDoubles(patch) : undefined;
  if (number === undefined) return patch;
  throw badRequest(`json: cannot unmarshal number ${number} into Go value of type float64`);
}

function parsedPatch(text: string): unknown {
  try {
    return parseDocument(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badRequest(jsonSyntaxError(text));
  }
}

/** The problems of the patch itself. Unknown members are found in its result. */
function problemsOf(patchType: PatchType, text: string): string[] {
  return patchType === 'json' ? jsonPatchProblems(text) : repeatedInPatch(text);
}

/**
 * A patch that is refused, as the client is told (src/semantics/README.md#errors and
 * src/semantics/patch/README.md#patch-types).
 */
function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw patchRefused(error.code, error.message);
  }
}
