/** Turns the value of a mutation into a changed object (README.md#mutations). */
import { DecodeError } from '../../../codec/json/go-errors.ts';
import type { Members } from '../../../codec/model/schema-model.ts';
import { ownRelease } from '../../../release/release.ts';
import type { ApiObject } from '../../../resources/kind.ts';
import { jsonOf, misplacedTypes, NoJson } from '../../../schema/cel/messages/patch-json.ts';
import { MessageValue } from '../../../schema/cel/messages/patch-values.ts';
import { ListValue, typeName, type Value } from '../../../schema/cel/values.ts';
import { internalError } from '../../../semantics/errors/status.ts';
import { checkDocument } from '../../../semantics/fields/check-document.ts';
import { mergeDocuments } from '../../../semantics/fields/merge-documents.ts';
import { TypedError } from '../../../semantics/fields/typed-error.ts';
import { documentText, parseDocument } from '../../../semantics/patch/document.ts';
import { applyJsonPatch, TestFailed } from '../../../semantics/patch/json-patch.ts';
import { PatchError } from '../../../semantics/patch/patch-error.ts';
import { patchedMembers, patchedRead } from '../../patched-document.ts';
import type { Proposal } from '../../proposal.ts';
import { atomicParts } from './atomic-parts.ts';
import type { CompiledMutation } from './compiled-mutations.ts';

/** A mutation that cannot be made: the failure policy decides. */
export class MutationFailed extends Error {
  override readonly name = 'MutationFailed';
}

/** An object that is to be changed. */
export interface MutatedObject {
  readonly proposal: Proposal;
  readonly object: ApiObject;
  readonly groupVersion: string;
  /** Its document in that version. */
  readonly text: string;
}

/** Whether the reference merges lists whose items come several times. */
const MAY_REPEAT = ownRelease().has('repeatedItemsOfMutated');

/**
 * Gives the object after a mutation. Throws MutationFailed, StatusError 500 for a patch that breaks
 * the object, and ConversionNeeded.
 */
export function mutated({ type }: CompiledMutation, value: Value, about: MutatedObject): ApiObject {
  return type === 'JSONPatch' ? patched(value, about) : applied(value, about);
}

function patched(value: Value, { proposal, object, groupVersion, text }: MutatedObject): ApiObject {
  const { forms } = proposal;
  if (!(value instanceof ListValue)) {
    throw new MutationFailed('type mismatch: JSONPatchType.expression should evaluate to array');
  }
  const patch = value.items.map(operation);
  let document: unknown;
  try {
    document = applyJsonPatch(parseDocument(text), patch);
  } catch (error) {
    // The patch is not for the object.
    if (error instanceof TestFailed) return object;
    throw error instanceof PatchError ? new MutationFailed(`JSON Patch: ${error.message}`) : error;
  }
  const members = patchedMembers(document, forms.kind, groupVersion);
  const problems = forms.strictProblems(documentText(members), groupVersion);
  if (problems.length > 0) throw internalError(`strict decoding error: ${problems.join(', ')}`);
  try {
    return patchedRead(proposal, object, members, groupVersion);
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message) : error;
  }
}

function operation(value: Value): Members {
  if (!(value instanceof MessageValue)) {
    const got = `got element of ${typeName(value)}`;
    throw new MutationFailed(
      `type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch, ${got}`,
    );
  }
  const { fields } = value;
  const given = fields.get('value');
  if (given instanceof MessageValue) checkPlaces(given, given.typeName);
  const from = fields.get('from') ?? '';
  return {
    op: fields.get('op') ?? '',
    path: fields.get('path') ?? '',
    ...(from !== '' && { from }),
    ...(given !== undefined && {
      value: json(
        given,
        'JSONPath valueExpression evaluated to a type that could not marshal to JSON',
      ),
    }),
  };
}

/** As it would have been sent. */
function json(value: Value, problem: string): unknown {
  try {
    return parseDocument(JSON.stringify(jsonOf(value)));
  } catch (error) {
    throw error instanceof NoJson ? new MutationFailed(`${problem}: ${error.message}`) : error;
  }
}

/** Throws MutationFailed where messages do not have the types of their places. */
function checkPlaces(value: MessageValue, type: string): void {
  const problems = misplacedTypes(value, type);
  if (problems.length > 0) throw new MutationFailed(`type mismatch: ${problems.join('\n')}`);
}

function applied(value: Value, about: MutatedObject): ApiObject {
  const { proposal, object, groupVersion, text } = about;
  if (!(value instanceof MessageValue)) {
    const problem = 'unsupported return type from ApplyConfiguration expression';
    throw new MutationFailed(`${problem}: ${typeName(value)}`);
  }
  checkPlaces(value, 'Object');
  const config = json(value, 'invalid return type') as Members;
  const { kind } = proposal.forms;
  const merged = merge({ ...config, apiVersion: groupVersion, kind }, about, parseDocument(text));
  try {
    return patchedRead(proposal, object, merged, groupVersion);
  } catch (error) {
    throw error instanceof DecodeError ? new MutationFailed(error.message) : error;
  }
}

function merge(config: Members, { proposal, groupVersion }: MutatedObject, live: unknown): Members {
  const type = proposal.forms.fieldTypes(groupVersion);
  const told = (what: string, why: string): MutationFailed =>
    new MutationFailed(`error applying patch: ${what}: ${why}`);
  const checked = <T>(what: string, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw error instanceof TypedError ? told(what, error.message) : error;
    }
  };
  const converting = 'failed to convert patch object to typed object';
  if (type === undefined) throw told(converting, 'no corresponding type');
  checked(converting, () => checkDocument(type, config));
  const atomics = atomicParts(type, config);
  if (atomics.length > 0) {
    const which = `may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`;
    throw told('invalid ApplyConfiguration', which);
  }
  const before = live as Members;
  checked('failed to convert original object to typed object', () =>
    checkDocument(type, before, MAY_REPEAT),
  );
  return checked('failed to merge patch', () => mergeDocuments(type, before, config, MAY_REPEAT));
}
