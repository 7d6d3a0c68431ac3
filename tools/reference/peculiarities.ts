/** What of a body makes the two servers answer in ways of their own. */
import { parseDocument, type Document } from 'yaml';
import type { FuzzCase } from '../../test/support/fuzz-cases.ts';
import type { TestObject } from '../../test/support/kinds.ts';

/** Of a request, in words that follow its verb, as accepted differences name it; '' for nothing. */
export function peculiarityOf({ body, contentType = '' }: FuzzCase): string {
  if (body === undefined || contentType.includes('protobuf')) return '';
  const text = body.toString();
  const document = parseDocument(text, { uniqueKeys: true, logLevel: 'silent' });
  if (document.errors.some(({ code }) => code === 'DUPLICATE_KEY')) return ' repeating members';
  const isYaml = contentType.includes('yaml') && !text.startsWith('{');
  if (isYaml && /[\u0085\u2028\u2029]/.test(text)) return ' with breaks of YAML 1.1';
  const value = valueOf(document);
  // What a patch leaves of them is not looked into.
  const isPatch = contentType.includes('patch');
  if (isPatch ? text.includes('managedFields') : resetsOwners(value)) return ' resetting owners';
  return repeatsItems(value?.status) ? ' repeating items of its status' : '';
}

function valueOf(document: Document): TestObject {
  try {
    return document.toJS();
  } catch {
    // Such as an alias of nothing.
    return undefined;
  }
}

/** Whether an object brings an empty list of owners, or a single entry that is empty. */
function resetsOwners(object: TestObject): boolean {
  const given = object?.metadata?.managedFields;
  if (!Array.isArray(given) || given.length > 1) return false;
  return given.every((entry) => Object.values(entry ?? {}).every((value) => !value));
}

/** Whether two items of a list have a member that is the same, by which they may be one. */
function repeatsItems(value: TestObject): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    const members = value.flatMap((item) =>
      Object.entries(typeof item === 'object' && item !== null ? item : { item }).map(String),
    );
    if (new Set(members).size < members.length) return true;
  }
  return Object.values(value).some(repeatsItems);
}
