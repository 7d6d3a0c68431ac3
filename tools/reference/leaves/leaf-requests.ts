/** The requests that put one doubtful value into one place of an object. */
import type { TestObject } from '../../../test/support/kinds.ts';
import type { LaneRequest } from '../lane.ts';
import { mergePatch, valueAt, withoutValue, withValue, type Way } from './documents.ts';
import type { DoubtfulValue } from './doubtful-values.ts';

export const VERBS = ['create', 'update', 'patch merge', 'apply'] as const;
export type Verb = (typeof VERBS)[number];

/** JSON text with the value at the end of the way; undefined when that changes nothing. */
export function textWith(
  document: TestObject,
  way: Way,
  value: DoubtfulValue,
): string | Buffer | undefined {
  const now = valueAt(document, way);
  const text = value.text(now);
  if (text === undefined) {
    return now === undefined ? undefined : JSON.stringify(withoutValue(document, way));
  }
  return placed(withValue(document, way, MARK), text);
}

/** A merge patch that puts the value there; what is to be left out is null. */
export function mergeTextWith(
  document: TestObject,
  way: Way,
  value: DoubtfulValue,
): string | Buffer | undefined {
  const now = valueAt(document, way);
  const text = value.text(now);
  if (text !== undefined) return placed(mergePatch(document, way, MARK), text);
  // In a map it is the same as null, which is another value.
  if (now === undefined || way.every((key) => typeof key === 'string')) return undefined;
  const list = way.findIndex((key) => typeof key === 'number');
  const end = way.slice(0, list);
  return JSON.stringify(mergePatch(document, end, valueAt(withoutValue(document, way), end)));
}

export function leafRequest(
  verb: Verb,
  { kind, groupVersion }: { readonly kind: string; readonly groupVersion: string },
  at: { readonly collection: string; readonly name: string; readonly subresource: string },
  body: string | Buffer,
): LaneRequest {
  const { collection, name, subresource } = at;
  const suffix = subresource === '' ? '' : `/${subresource}`;
  const item = `${collection}/${encodeURIComponent(name)}${suffix}`;
  const names = { kind, groupVersion, subresource };
  const [method, path, contentType] = {
    create: ['POST', `${subresource === '' ? collection : item}?dryRun=All`, 'application/json'],
    update: ['PUT', `${item}?dryRun=All`, 'application/json'],
    'patch merge': ['PATCH', `${item}?dryRun=All`, 'application/merge-patch+json'],
    apply: [
      'PATCH',
      `${item}?dryRun=All&fieldManager=leaf&force=true`,
      'application/apply-patch+yaml',
    ],
  }[verb] as [string, string, string];
  return { ...names, method, path, body, contentType, isRepeatable: true };
}

const MARK = '@the value@';

function placed(document: unknown, text: string): string | Buffer {
  const whole = JSON.stringify(document);
  const quoted = JSON.stringify(MARK);
  const at = whole.indexOf(quoted);
  const before = whole.slice(0, at);
  const after = whole.slice(at + quoted.length);
  const isText = Buffer.from(text, 'latin1').every((byte) => byte < 0x80);
  if (isText) return before + text + after;
  return Buffer.concat([Buffer.from(before), Buffer.from(text, 'latin1'), Buffer.from(after)]);
}
