/**
 * JSON merge patch, RFC 7386, as the reference server's library does it (README.md#patch-types).
 */
import { nestsTooDeep } from '../../codec/json/json-syntax.ts';
import type { Members } from '../../codec/model/schema-model.ts';
import { setMember } from '../../base/set-member.ts';
import { isContainer, isMembers, memberOf, parseDocument } from './document.ts';
import type { Container } from './document.ts';
import { PatchError } from './patch-error.ts';

const BAD_PATCH = 'Invalid JSON Patch';

/**
 * Parses a patch, which is an object or a list. Throws PatchError 400 for text that is no JSON,
 * nests too deep, or is null or a scalar.
 */
export function parseMergePatch(text: string): unknown {
  if (nestsTooDeep(text)) throw new PatchError(400, BAD_PATCH);
  let patch: unknown;
  try {
    patch = parseDocument(text);
  } catch {
    throw new PatchError(400, BAD_PATCH);
  }
  if (!isContainer(patch)) throw new PatchError(400, BAD_PATCH);
  return patch;
}

/**
 * The document with the patch merged into it: members that are null are removed, objects are
 * merged, everything else replaces what was there. A patch that is no object replaces the document.
 * Other than the RFC says, null members of objects in lists are left out as well. `document` may be
 * changed; the result shares nothing with `patch`.
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  const pending: Container[] = [];
  const result = beginMerge(document, patch, pending);
  for (;;) {
    const source = pending.pop();
    const target = pending.pop();
    if (source === undefined || target === undefined) return result;
    if (Array.isArray(source)) {
      for (const item of source) (target as unknown[]).push(beginMerge(undefined, item, pending));
    } else mergeMembers(target as Members, source, pending);
  }
}

function mergeMembers(target: Members, patch: Members, pending: Container[]): void {
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === null) delete target[key];
    else {
      const current = memberOf(target, key);
      const merged = beginMerge(current, value, pending);
      if (merged !== current) setMember(target, key, merged);
    }
  }
}

/** The value that replaces `current`; a container is filled later, from `pending`. */
function beginMerge(current: unknown, patch: unknown, pending: Container[]): unknown {
  if (!isContainer(patch)) return patch;
  if (Array.isArray(patch)) {
    const items: unknown[] = [];
    pending.push(items, patch);
    return items;
  }
  const members = isMembers(current) ? current : {};
  pending.push(members, patch);
  return members;
}
