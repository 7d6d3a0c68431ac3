/**
 * Tables of what the parts of server-side apply do to one object or two. Objects are YAML, paths
 * are in the notation of `support/apply-scenario.ts`.
 */
import type { Test } from 'tap';
import type { Members } from '../../src/codec/model/schema-model.ts';
import { compareFields } from '../../src/semantics/fields/compare-fields.ts';
import { union } from '../../src/semantics/fields/field-set.ts';
import { checkDocument } from '../../src/semantics/fields/check-document.ts';
import { mergeDocuments } from '../../src/semantics/fields/merge-documents.ts';
import { TypedError } from '../../src/semantics/fields/typed-error.ts';
import { fieldSetOf, removeFields } from '../../src/semantics/fields/typed-document.ts';
import { equalDocuments } from '../../src/semantics/patch/document.ts';
import { parseObject } from '../support/apply-scenario.ts';
import type { Schema } from '../support/apply-scenario.ts';
import { expandPaths, parseSet, pathsOf } from './field-paths.ts';

function typeOf(schema: Schema) {
  return schema.typeOf(schema.versions[0] ?? 'v1');
}

function sameDocument(t: Test, seen: Members, expected: string, name: string): void {
  if (equalDocuments(seen, parseObject(expected))) t.pass(name);
  else t.equal(JSON.stringify(seen), JSON.stringify(parseObject(expected)), name);
}

/** Checks the fields that a configuration owns. */
export function sets(
  t: Test,
  schema: Schema,
  rows: readonly (readonly [config: string, paths: string])[],
): void {
  for (const [config, paths] of rows) {
    t.same(pathsOf(fieldSetOf(typeOf(schema), parseObject(config))), expandPaths(paths), config);
  }
}

type ComparedRow = readonly [before: string, after: string, changed: string, removed?: string];

/** Checks the fields that a write changes or adds, and removes; backwards, it removes the added. */
export function compares(t: Test, schema: Schema, rows: readonly ComparedRow[]): void {
  for (const [before, after, changed, removed = ''] of rows) {
    const name = `${before} → ${after}`;
    const [left, right] = [parseObject(before), parseObject(after)];
    const there = compareFields(typeOf(schema), left, right);
    const seen = [pathsOf(there.changed), pathsOf(there.removed)];
    t.same(seen, [expandPaths(changed), expandPaths(removed)], name);
    const back = compareFields(typeOf(schema), right, left);
    t.same(
      pathsOf(union(back.changed, back.removed)),
      pathsOf(union(there.changed, there.removed)),
      `${name} and back`,
    );
  }
}

/** Checks the result of applying a configuration, before anything is taken away. */
export function merges(
  t: Test,
  schema: Schema,
  rows: readonly (readonly [live: string, config: string, merged: string])[],
): void {
  for (const [live, config, merged] of rows) {
    const [left, right] = [parseObject(live), parseObject(config)];
    const seen = mergeDocuments(typeOf(schema), left, right);
    sameDocument(t, seen, merged, `${live} ⊕ ${config}`);
    t.same([left, right], [parseObject(live), parseObject(config)], 'both are as they were');
  }
}

/** Checks the rest of the object without the fields. */
export function removals(
  t: Test,
  schema: Schema,
  rows: readonly (readonly [object: string, paths: string, rest: string])[],
): void {
  for (const [object, paths, rest] of rows) {
    const seen = removeFields(typeOf(schema), parseObject(object), parseSet(paths));
    sameDocument(t, seen, rest, `${object} without ${paths}`);
  }
}

export function accepts(t: Test, schema: Schema, objects: readonly string[]): void {
  for (const object of objects) {
    t.doesNotThrow(() => checkDocument(typeOf(schema), parseObject(object)), object);
  }
}

/** The text of the error, or how it begins where the row ends in `…`. */
export function refuses(
  t: Test,
  schema: Schema,
  rows: readonly (readonly [object: string, text: string])[],
): void {
  for (const [object, text] of rows) {
    const seen = refusalOf(schema, object);
    if (text.endsWith('…') && seen.startsWith(text.slice(0, -1))) t.pass(object);
    else t.equal(seen, text, object);
  }
}

function refusalOf(schema: Schema, object: string): string {
  try {
    checkDocument(typeOf(schema), parseObject(object));
    return 'accepted';
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    return error.message.replaceAll('\n', ' | ');
  }
}
