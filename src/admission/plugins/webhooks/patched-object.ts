/** Applies the patch of a mutating webhook to an object. */
import { DecodeError } from '../../../codec/json/go-errors.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import type { ApiObject } from '../../../resources/kind.ts';
import type { Members } from '../../../codec/model/schema-model.ts';
import { documentText, isMembers, parseDocument } from '../../../semantics/patch/document.ts';
import {
  applyJsonPatch,
  parseJsonPatch,
  type JsonPatch,
} from '../../../semantics/patch/json-patch.ts';
import { PatchError } from '../../../semantics/patch/patch-error.ts';
import { internalError } from '../../../semantics/errors/status.ts';
import { noObjectText, unknownKindText } from '../../../codec/document-type.ts';
import type { Proposal } from '../../proposal.ts';
import type { ReviewResponse } from './admission-review.ts';
import type { Invocation } from './matching.ts';
import type { Conversions } from './shown-objects.ts';
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
  const document = applied(patch, text, forms.kind, groupVersion);
  const patchedText = documentText(document);
  return conversions.done(() => {
    try {
      const read = forms.read(patchedText, groupVersion);
      keepOwners(proposal, object, read, document);
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

/** The document after the patch, which is of the kind that it was. Throws StatusError. */
function applied(patch: JsonPatch, text: string, kind: string, groupVersion: string): Members {
  const document = internally(() => applyJsonPatch(parseDocument(text), patch));
  if (!isMembers(document)) throw internalError(noObjectText(document));
  const { kind: its = kind, apiVersion = groupVersion } = document;
  if (its !== kind || apiVersion !== groupVersion) {
    const [named, version] = [its, apiVersion].map((one) => (typeof one === 'string' ? one : ''));
    throw internalError(unknownKindText(named ?? '', version ?? ''));
  }
  return document;
}

/** A list of owners that cannot be understood does not take the place of the one before. */
function keepOwners(
  proposal: Proposal,
  before: ApiObject,
  read: ApiObject,
  { metadata }: Members,
): void {
  const { managedFields: sent } = isMembers(metadata) ? metadata : {};
  const isGiven = Array.isArray(sent) && sent.length > 0 && !isReset(sent);
  if (!isGiven || read.metadata.managedFields !== undefined) return;
  read.metadata.managedFields = before.metadata.managedFields;
  proposal.warn(
    '.metadata.managedFields was in an invalid state after admission; this could be caused by an ' +
      'outdated mutating admission controller; please fix your requests',
  );
}

/** One empty entry means that nobody is to own anything. */
function isReset([first, ...others]: readonly unknown[]): boolean {
  return others.length === 0 && isMembers(first) && Object.keys(first).length === 0;
}

function internally<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof PatchError ? internalError(error.message) : error;
  }
}
