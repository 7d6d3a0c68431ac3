/** Refusals that the parts of strategic merge patch share, in the words of the reference. */
import type { Members } from '../../codec/model/schema-model.ts';
import { goStringText, goTypeOf, goValueText } from './go-value-text.ts';
import type { GoType } from './go-value-text.ts';
import { PatchError } from './patch-error.ts';
import type { StrategicField } from './strategic-plan.ts';

export function wrongType(expected: GoType, actual: unknown): PatchError {
  return new PatchError(500, `expected a ${expected}, but received a ${goTypeOf(actual)}`);
}

export function noMergeKey(item: Members, mergeKey: string): PatchError {
  const text = goValueText(item);
  return new PatchError(500, `map: ${text} does not contain declared merge key: ${mergeKey}`);
}

/** The refusal of objects in a list for which the schema has no merge key. */
export function noKeyDeclared({ plan }: StrategicField): PatchError {
  return new PatchError(500, `cannot merge lists without merge key for ${plan.kind}`);
}

/** The refusal of a `$patch` that has no meaning there. */
export function unknownDirective(directive: unknown, patch: Members): PatchError {
  const text = goValueText(patch);
  return new PatchError(500, `unknown patch type: ${goStringText(directive)} in map: ${text}`);
}

/** The refusal of a directive in the wrong form; `what` is its name in the error. */
export function badDirective(what: string): PatchError {
  return new PatchError(400, `invalid patch format of ${what}`);
}

/**
 * The field that a directive such as `$setElementOrder/containers` is about; `prefix` is what
 * comes before the slash. Throws PatchError 400, which calls the directive `what`.
 */
export function fieldOfDirective(key: string, prefix: string, what: string): string {
  if (key[prefix.length] !== '/') throw badDirective(what);
  return key.slice(prefix.length + 1);
}
