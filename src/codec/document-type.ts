/** Refusals of documents of another kind than expected, in the words of the reference. */
import { ownRelease } from '../release/release.ts';
import { valueKind, valueMismatch } from './json/go-errors.ts';
import { quoteText } from './json/strict-quote.ts';

const TYPE_OF_DOCUMENT =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; ' +
  'Kind string "json:\\"kind,omitempty\\"" }';

/** The error for a document without a kind. */
export function noTypeText(why: string): string {
  return `couldn't get version/kind; json parse error: ${why}`;
}

/** The error for a document that is no object. */
export function noObjectText(document: unknown): string {
  return noTypeText(valueMismatch(valueKind(document), TYPE_OF_DOCUMENT).message);
}

export function unknownKindText(kind: string, apiVersion: string): string {
  const type = `no kind ${quoteText(kind)} is registered for version ${quoteText(apiVersion)}`;
  return `${type} in scheme "pkg/runtime/scheme.go:${schemeLine()}"`;
}

/** Where the reference makes its scheme, which is called by that. */
function schemeLine(): number {
  if (ownRelease().has('schemesOfLine111')) return 111;
  return ownRelease().has('schemesOfLine110') ? 110 : 100;
}

/** The error for a document in another version than the expected one; both are given as `v1`. */
export function otherVersionText(kind: string, got: string, expected: string): string {
  return `converting (${got}.${kind}) to (${expected}.${kind}): unknown conversion`;
}
