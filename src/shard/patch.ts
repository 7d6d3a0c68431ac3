/**
 * patch: changes the object as it is in this moment, in the version of the request, and then does
 * what an update does (API-FACTS 5). Nothing comes between the look at the object and the write, so
 * that a patch never races with another writer.
 */
import type { Answer } from '../actors/link.ts';
import { DecodeError } from '../codec/go-errors.ts';
import { jsonSyntaxError, nestsTooDeep, TOO_DEEP } from '../codec/json-syntax.ts';
import type { Members } from '../codec/schema-model.ts';
import { strictDecodingError } from '../codec/strict-check.ts';
import { decodeUtf8 } from '../codec/text-body.ts';
import { CAUSES_CHARACTERS_MAX } from '../limits.ts';
import type { ApiObject } from '../resources/kind.ts';
import type { KindRuntime } from '../resources/kind-runtime.ts';
import { invalid, invalidObject } from '../semantics/field-error.ts';
import { managedFieldsText } from '../semantics/object-meta.ts';
import { documentText, holdsLongNumbers, parseDocument } from '../semantics/patch/document.ts';
import { goValueText } from '../semantics/patch/go-value-text.ts';
import {
  applyJsonPatch,
  jsonPatchProblems,
  parseJsonPatch,
} from '../semantics/patch/json-patch.ts';
import { applyMergePatch, parseMergePatch } from '../semantics/patch/merge-patch.ts';
import { PatchError } from '../semantics/patch/patch-error.ts';
import { applyStrategicPatch } from '../semantics/patch/strategic-patch.ts';
import { badRequest, notFound, patchRefused } from '../semantics/status.ts';
import { apply } from './apply.ts';
import { checkIdentity, typeProblem, type DecodedBody } from './decode-body.ts';
import { restoreTexts } from './kept-texts.ts';
import type { Latest, Shard } from './shard.ts';
import type { ObjectReply, PatchRequest, PatchType } from './shard-protocol.ts';
import { replace } from './update.ts';

/** Throws StatusError 400, 404, 409, 413, 422 or 500; otherwise answers 200 after the commit. */
export function patch(
  shard: Shard,
  request: PatchRequest,
  body: Uint8Array,
  answer: Answer<ObjectReply>,
): void {
  if (request.patchType === 'apply') {
    apply(shard, request, body, answer);
    return;
  }
  const { kind } = shard;
  const stored = shard.latest(shard.keyOf(request.namespace, request.name));
  if (stored === undefined) throw notFound(kind.version(request.version).resource, request.name);
  const dialect = shard.dialectOf(request);
  const translate = request.patchType === 'json' ? dialect.jsonPatch : dialect.document;
  const text = translate(kind.shown(request).kind, decodeUtf8(body));
  const patched = patchedObject(shard, request, text, stored);
  checkIdentity(kind.definition, patched.object, request);
  replace(shard, request, patched, stored, answer);
}

/** The object with the patch applied to it, decoded. */
function patchedObject(
  shard: Shard,
  request: PatchRequest,
  text: string,
  stored: Latest,
): DecodedBody {
  const shown = shard.kind.shown(request);
  const { patchType, fieldValidation = 'Ignore' } = request;
  // Other patches leave the owners alone: there is no need to parse so long a list.
  const isAboutOwners = patchType === 'json' || text.includes('managedFields');
  const before = (): unknown => documentOf(shown, stored, isAboutOwners);
  const document = refusing(() => patchedDocument(request, shown, before, text));
  const mayBePlain = stored.members !== undefined && !holdsLongNumbers(text);
  const textOf = (): string => documentText(document);
  try {
    const decoded = mayBePlain ? shown.decodeDocument(document, textOf) : shown.decode(textOf());
    const problem = typeProblem(shown, decoded);
    if (problem !== '') throw new DecodeError(problem);
    const object = decoded.object as ApiObject;
    if (stored.members === undefined) restoreTexts(object, stored.object);
    if (fieldValidation === 'Ignore') return { object, warnings: NO_WARNINGS };
    const found = [...problemsOf(patchType, shown, text), ...shown.strictProblems(textOf())];
    if (fieldValidation === 'Warn' || found.length === 0) return { object, warnings: found };
    throw new DecodeError(strictDecodingError([], found));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    // The parts of a strategic patch may have become parts of the document: it is read again.
    const value = patchType === 'strategic' ? goValueText(parseDocument(text)) : textOf();
    // Quoted twice, and told twice, it would be many times as long as it is.
    const told = value.slice(0, CAUSES_CHARACTERS_MAX);
    throw invalidObject('', '', '', [invalid('patch', told, error.message)]);
  }
}

/** The object as the client sees it. The parsed text of the stored one is used up. */
function documentOf(shown: PatchShape, stored: Latest, withOwners: boolean): unknown {
  const document = stored.members && shown.documentOf(stored.members);
  if (document === undefined) {
    return parseDocument(shown.documentText(withOwners ? stored.wire : stored.rest));
  }
  const owners = managedFieldsText(stored.object.metadata);
  if (withOwners && owners !== '') {
    (document['metadata'] as Members)['managedFields'] = JSON.parse(owners);
  }
  return document;
}

const NO_WARNINGS: readonly string[] = Object.freeze([]);

type PatchShape = ReturnType<KindRuntime['shown']>;

function patchedDocument(
  { patchType }: PatchRequest,
  shown: PatchShape,
  before: () => unknown,
  text: string,
): unknown {
  if (patchType === 'json') {
    const operations = parseJsonPatch(text);
    return applyJsonPatch(before(), operations);
  }
  if (patchType === 'merge') {
    const patch = parseMergePatch(text);
    return applyMergePatch(before(), patch);
  }
  const patch = parseStrategicPatch(text);
  return applyStrategicPatch(shown.strategicPlan, before() as Members, patch);
}

function parseStrategicPatch(text: string): unknown {
  if (nestsTooDeep(text)) throw badRequest(TOO_DEEP);
  try {
    return parseDocument(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badRequest(jsonSyntaxError(text));
  }
}

/** What strict decoding finds in the patch itself: unknown members are found in its result. */
function problemsOf(patchType: PatchType, shown: PatchShape, text: string): string[] {
  if (patchType === 'json') return jsonPatchProblems(text);
  return shown.strictProblems(text).filter((problem) => problem.startsWith('duplicate '));
}

/** A patch that is refused, as the client is told (API-FACTS 1.2 and 5.1). */
function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw patchRefused(error.code, error.message);
  }
}
