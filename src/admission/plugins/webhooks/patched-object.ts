/** Applies the patch of a mutating webhook to an object. */
import { DecodeError } from '../../../codec/json/go-errors.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import type { ApiObject } from '../../../resources/kind.ts';
import { parseDocument } from '../../../semantics/patch/document.ts';
import {
  applyJsonPatch,
  parseJsonPatch,
  type JsonPatch,
} from '../../../semantics/patch/json-patch.ts';
import { PatchError } from '../../../semantics/patch/patch-error.ts';
import { internalError } from '../../../semantics/errors/status.ts';
import { patchedMembers, patchedRead } from '../../patched-document.ts';
import type { Proposal } from '../../proposal.ts';
import type { ReviewResponse } from './admission-review.ts';
import type { Invocation } from './webhook-index.ts';
import type { Conversions } from '../../shown-objects.ts';
import { CallFailed } from './webhook-caller.ts';

export interface Patched {
  readonly patch: JsonPatch;
  readonly object: ApiObject;
  /** Whether it is another object than before. */
  readonly isChanged: boolean;
}

/**
 * The object after the patch of a response; undefined where there is nothing to be done. `text` is
 * its document in the version that the webhook was shown. Rejects with StatusError 500 for a patch
 * that cannot be applied or breaks the object, and with CallFailed for one of another type.
 */
export async function patchedObject(
  { webhook: { name }, groupVersion }: Invocation,
  proposal: Proposal,
  text: string,
  { patch: encoded = '', patchType = '' }: ReviewResponse,
  conversions: Conversions,
): Promise<Patched | undefined> {
  const { object, forms } = proposal;
  if (encoded === '') return undefined;
  const patch = parsed(Buffer.from(encoded, 'base64').toString());
  if (patch.length === 0) return undefined;
  if (object === undefined) {
    const what = `admission webhook ${quoteText(name)} attempted to modify the object`;
    throw internalError(`${what}, which is not supported for this operation`);
  }
  if (patchType !== 'JSONPatch') {
    throw new CallFailed(name, `unsupported patch type ${quoteText(patchType)}`);
  }
  const patched = internally(() => applyJsonPatch(parseDocument(text), patch));
  const document = patchedMembers(patched, forms.kind, groupVersion);
  return conversions.done(() => {
    try {
      const read = patchedRead(proposal, object, document, groupVersion);
      return { patch, object: read, isChanged: forms.text(read, groupVersion) !== text };
    } catch (error) {
      throw error instanceof DecodeError ? internalError(error.message) : error;
    }
  });
}

/** Throws StatusError 500. */
function parsed(text: string): JsonPatch {
  return internally(() => parseJsonPatch(text));
}

function internally<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof PatchError ? internalError(error.message) : error;
  }
}
