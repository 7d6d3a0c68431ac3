/** Patches made from two random documents turn the one into the other. */
import fc from 'fast-check';
import t from 'tap';
import type { Members } from '../../../src/codec/model/schema-model.ts';
import { setMember } from '../../../src/base/set-member.ts';
import {
  cloneDocument,
  documentText,
  equalDocuments,
  isMembers,
  memberOf,
  parseDocument,
} from '../../../src/semantics/patch/document.ts';
import { applyJsonPatch, parseJsonPatch } from '../../../src/semantics/patch/json-patch.ts';
import { applyMergePatch } from '../../../src/semantics/patch/merge-patch.ts';

const keys = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    '',
    'a/b',
    '~',
    '~1',
    '0',
    '1',
    '-',
    '1500',
    '__proto__',
    'constructor',
  ),
  fc.string({ maxLength: 3 }),
);
const scalars = fc.oneof(
  fc.constantFrom('', 'x', 0, 1, 1.5, true, false),
  fc.string({ maxLength: 3 }),
  fc.constant(undefined).map(() => parseDocument('9007199254740993')),
);

function documentsOf(leaves: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { document } = fc.letrec((tie) => ({
    document: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaves,
      fc.array(tie('document'), { maxLength: 4 }),
      fc.array(fc.tuple(keys, tie('document')), { maxLength: 5 }).map(fromEntries),
    ),
  }));
  return document;
}

function fromEntries(entries: readonly [string, unknown][]): Members {
  const members: Members = {};
  for (const [key, value] of entries) setMember(members, key, value);
  return members;
}

const objects = fc.array(fc.tuple(keys, documentsOf(scalars)), { maxLength: 5 }).map(fromEntries);
const withNulls = documentsOf(fc.oneof(scalars, fc.constant(null)));
const objectsWithNulls = fc.array(fc.tuple(keys, withNulls), { maxLength: 5 }).map(fromEntries);

/** A merge patch from `source` to `target`, which may have no nulls. */
function mergeDiff(source: unknown, target: unknown): unknown {
  if (!isMembers(source) || !isMembers(target)) return cloneDocument(target);
  const patch: Members = {};
  for (const key of Object.keys(source)) {
    if (!Object.hasOwn(target, key)) setMember(patch, key, null);
  }
  for (const key of Object.keys(target)) {
    const before = memberOf(source, key);
    const after = target[key];
    if (!equalDocuments(before, after)) setMember(patch, key, mergeDiff(before, after));
  }
  return patch;
}

type Operation = Record<'op' | 'path', string> & { from?: string; value?: unknown };

/** Operations from `source` to `target`; what goes and what comes at one level may be a move. */
function jsonDiff(source: unknown, target: unknown, path: string, operations: Operation[]): void {
  if (equalDocuments(source, target)) {
    operations.push({ op: 'test', path, value: target });
  } else if (isMembers(source) && isMembers(target)) {
    const gone = Object.keys(source).filter((key) => !Object.hasOwn(target, key));
    for (const key of Object.keys(target)) {
      const at = `${path}/${escapeStep(key)}`;
      if (Object.hasOwn(source, key)) jsonDiff(source[key], target[key], at, operations);
      else bring(source, gone, target[key], path, at, operations);
    }
    for (const key of gone) operations.push({ op: 'remove', path: `${path}/${escapeStep(key)}` });
  } else if (Array.isArray(source) && Array.isArray(target)) {
    const kept = Math.min(source.length, target.length);
    for (let index = source.length; index > kept; index -= 1) {
      operations.push({ op: 'remove', path: `${path}/${index % 2 === 0 ? index - 1 : -1}` });
    }
    for (let index = 0; index < kept; index += 1) {
      jsonDiff(source[index], target[index], `${path}/${index}`, operations);
    }
    for (let index = kept; index < target.length; index += 1) {
      const last = index % 2 === 0 ? '-' : String(index);
      operations.push({ op: 'add', path: `${path}/${last}`, value: target[index] });
    }
  } else operations.push({ op: 'replace', path, value: target });
}

/** A member that is new: moved or copied from one of the same value, or added. */
function bring(
  source: Members,
  gone: string[],
  value: unknown,
  path: string,
  at: string,
  operations: Operation[],
): void {
  const index = gone.findIndex((key) => equalDocuments(source[key], value));
  const key = gone[index];
  if (key === undefined) operations.push({ op: 'add', path: at, value });
  else if (at.length % 2 === 0) {
    operations.push({ op: 'copy', path: at, from: `${path}/${escapeStep(key)}` });
  } else {
    gone.splice(index, 1);
    operations.push({ op: 'move', path: at, from: `${path}/${escapeStep(key)}` });
  }
}

function escapeStep(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

t.test('a JSON patch made from two documents turns the one into the other', async () => {
  fc.assert(
    fc.property(objectsWithNulls, objectsWithNulls, (source, target) => {
      const operations: Operation[] = [];
      jsonDiff(source, target, '', operations);
      const patch = parseJsonPatch(documentText(operations));
      const patched = applyJsonPatch(cloneDocument(source), patch);
      const again = applyJsonPatch(cloneDocument(source), patch);
      return equalDocuments(patched, target) && equalDocuments(again, target);
    }),
    { seed: 11, numRuns: 500 },
  );
});

t.test('a merge patch made from two documents turns the one into the other', async () => {
  fc.assert(
    fc.property(objects, objects, (source, target) => {
      const patch = parseDocument(documentText(mergeDiff(source, target)));
      return equalDocuments(applyMergePatch(cloneDocument(source), patch), target);
    }),
    { seed: 12, numRuns: 500 },
  );
});

t.test('a merge patch that was applied changes nothing the second time', async () => {
  fc.assert(
    fc.property(withNulls, withNulls, (document, patch) => {
      const once = applyMergePatch(cloneDocument(document), patch);
      const twice = applyMergePatch(cloneDocument(once), patch);
      return equalDocuments(once, twice);
    }),
    { seed: 13, numRuns: 500 },
  );
});

t.test('documents come out as they went in', async () => {
  fc.assert(
    fc.property(withNulls, (document) => {
      const text = documentText(document);
      return (
        documentText(parseDocument(text)) === text && equalDocuments(document, parseDocument(text))
      );
    }),
    { seed: 14, numRuns: 500 },
  );
});
