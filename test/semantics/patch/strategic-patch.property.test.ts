/** A strategic merge patch made from two random objects turns the one into the other. */
import fc from 'fast-check';
import t from 'tap';
import type { Members } from '../../../src/codec/model/schema-model.ts';
import { setMember } from '../../../src/base/set-member.ts';
import {
  cloneDocument,
  documentText,
  equalDocuments,
  isMembers,
} from '../../../src/semantics/patch/document.ts';
import { applyStrategicPatch } from '../../../src/semantics/patch/strategic-patch.ts';
import { demoPlan } from './strategic-notation.ts';

const words = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 5 });
const labels = fc
  .array(fc.tuple(words, words), { maxLength: 3 })
  .map((entries) => fromEntries(entries));

function fromEntries(entries: readonly (readonly [string, unknown])[]): Members {
  const members: Members = {};
  for (const [key, value] of entries) setMember(members, key, value);
  return members;
}

const { thing } = fc.letrec<{ thing: Members; named: Members }>((tie) => {
  const keyed = fc.uniqueArray(tie('named'), {
    selector: (item) => item['name'],
    maxLength: 5,
  });
  const members = {
    value: words,
    other: words,
    numbers,
    plainNumbers: numbers,
    labels,
    inner: tie('thing'),
    whole: tie('thing'),
    union: tie('thing'),
    things: keyed,
    unions: keyed,
    inlined: keyed,
    plainThings: fc.array(tie('thing'), { maxLength: 2 }),
  };
  const options = { depthSize: 'small', maxDepth: 4, withCrossShrink: true } as const;
  return {
    thing: fc.oneof(options, fc.constant({}), fc.record(members, { requiredKeys: [] })),
    named: fc.tuple(words, tie('thing')).map(([name, members]): Members => ({ name, ...members })),
  };
});

const KEYED = ['things', 'unions', 'inlined'];

/** Makes the patch that turns `before` into `after`, as clients write it. */
function difference(before: Members, after: Members): Members {
  const patch: Members = {};
  for (const key of Object.keys(before))
    if (!Object.hasOwn(after, key)) setMember(patch, key, null);
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) setMember(patch, key, after[key]);
    else if (!equalDocuments(before[key], after[key])) change(patch, key, before[key], after[key]);
  }
  return patch;
}

function change(patch: Members, key: string, before: unknown, after: unknown): void {
  if (KEYED.includes(key)) changeItems(patch, key, before as Members[], after as Members[]);
  else if (key === 'numbers') changeNumbers(patch, before as number[], after as number[]);
  else if (key === 'union') setMember(patch, key, retaining(before as Members, after as Members));
  else if (key !== 'whole' && isMembers(before) && isMembers(after)) {
    setMember(patch, key, difference(before, after));
  } else setMember(patch, key, after);
}

/** `$retainKeys` in the place of nulls. */
function retaining(before: Members, after: Members): Members {
  const patch = difference(before, after);
  for (const key of Object.keys(patch)) if (patch[key] === null) Reflect.deleteProperty(patch, key);
  return { $retainKeys: Object.keys(after), ...patch };
}

function changeItems(patch: Members, key: string, before: Members[], after: Members[]): void {
  if (after.length === 0) {
    patch[key] = [{ $patch: 'replace' }];
    return;
  }
  const old = new Map(before.map((item) => [item['name'], item]));
  const kept = new Set(after.map((item) => item['name']));
  const changed = after.flatMap((item) => {
    const from = old.get(item['name']);
    if (from === undefined) return [item];
    const changes = difference(from, item);
    return Object.keys(changes).length === 0 ? [] : [{ name: item['name'], ...changes }];
  });
  const deleted = before
    .filter((item) => !kept.has(item['name']))
    .map((item) => ({ name: item['name'], $patch: 'delete' }));
  patch[`$setElementOrder/${key}`] = after.map((item) => ({ name: item['name'] }));
  if (changed.length + deleted.length > 0) patch[key] = [...changed, ...deleted];
}

function changeNumbers(patch: Members, before: number[], after: number[]): void {
  const deleted = before.filter((item) => !after.includes(item));
  const added = after.filter((item) => !before.includes(item));
  if (deleted.length > 0) patch['$deleteFromPrimitiveList/numbers'] = deleted;
  if (added.length > 0) patch['numbers'] = added;
  if (after.length > 0) patch['$setElementOrder/numbers'] = after;
}

t.test('the difference of two objects, applied to the one, gives the other', async () => {
  fc.assert(
    fc.property(thing, thing, (before, after) => {
      const patch = difference(before, after);
      const sent = documentText(patch);
      const result = applyStrategicPatch(demoPlan, cloneDocument(before) as Members, patch);
      const isAfter = equalDocuments(result, after);
      return isAfter && documentText(patch) === sent;
    }),
    { seed: 1, numRuns: 400 },
  );
});

t.test('applied once more, it changes nothing', async () => {
  fc.assert(
    fc.property(thing, thing, (before, after) => {
      const patch = difference(before, after);
      const result = applyStrategicPatch(demoPlan, cloneDocument(after) as Members, patch);
      return equalDocuments(result, after);
    }),
    { seed: 2, numRuns: 400 },
  );
});
