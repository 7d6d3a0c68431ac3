/** Reads an object whose document webhooks and policies have changed. */
import { noObjectText, unknownKindText } from '../codec/document-type.ts';
import type { Members } from '../codec/model/schema-model.ts';
import type { ApiObject } from '../resources/kind.ts';
import { internalError } from '../semantics/errors/status.ts';
import { documentText, isMembers } from '../semantics/patch/document.ts';
import type { Proposal } from './proposal.ts';

/** A document that is of the kind that it was. Throws StatusError 500. */
export function patchedMembers(document: unknown, kind: string, groupVersion: string): Members {
  if (!isMembers(document)) throw internalError(noObjectText(document));
  const { kind: its = kind, apiVersion = groupVersion } = document;
  if (its !== kind || apiVersion !== groupVersion) {
    const [named, version] = [its, apiVersion].map((one) => (typeof one === 'string' ? one : ''));
    throw internalError(unknownKindText(named ?? '', version ?? ''));
  }
  return document;
}

/**
 * The object of a document in that version. A list of owners that cannot be understood does not
 * take the place of the one before. Throws DecodeError and ConversionNeeded.
 */
export function patchedRead(
  proposal: Proposal,
  before: ApiObject,
  document: Members,
  groupVersion: string,
): ApiObject {
  const read = proposal.forms.read(documentText(document), groupVersion);
  const { metadata } = document;
  const { managedFields: sent } = isMembers(metadata) ? metadata : {};
  const isGiven = Array.isArray(sent) && sent.length > 0 && !isReset(sent);
  if (!isGiven || read.metadata.managedFields !== undefined) return read;
  read.metadata.managedFields = before.metadata.managedFields;
  proposal.warn(
    '.metadata.managedFields was in an invalid state after admission; this could be caused by an ' +
      'outdated mutating admission controller; please fix your requests',
  );
  return read;
}

/** One empty entry means that nobody is to own anything. */
function isReset([first, ...others]: readonly unknown[]): boolean {
  return others.length === 0 && isMembers(first) && Object.keys(first).length === 0;
}
