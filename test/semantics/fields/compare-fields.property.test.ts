/** The comparison of random objects, against a plain walk over their JSON by the public rules. */
import t from 'tap';
import { compileJsonCodec } from '../../../src/codec/json/json-codec.ts';
import { model as MODEL } from '../../codec/proto-model.ts';
import type { Members } from '../../../src/codec/model/schema-model.ts';
import { compareFields } from '../../../src/semantics/fields/compare-fields.ts';
import { setOfPaths } from '../../../src/semantics/fields/field-set.ts';
import { equalSets } from '../../../src/semantics/fields/field-set.ts';
import { fieldsV1Text } from '../../../src/semantics/fields/field-set-text.ts';
import { compileFieldTypes } from '../../../src/semantics/fields/field-types.ts';
import type { FieldType, ListType } from '../../../src/semantics/fields/field-types.ts';
import { keyElement, valueElement } from '../../../src/semantics/fields/path-element.ts';
import { TypedError } from '../../../src/semantics/fields/typed-error.ts';
import { equalDocuments, isMembers, parseDocument } from '../../../src/semantics/patch/document.ts';
import { randomObject } from '../../support/random-object.ts';
import { Random } from '../../support/random.ts';

const MESSAGES = [
  'core.v1.ConfigMap',
  'core.v1.Pod',
  'core.v1.Service',
  'core.v1.Node',
  'apps.v1.StatefulSet',
  'batch.v1.CronJob',
  'networking.v1.Ingress',
  'apiextensions.v1.CustomResourceDefinition',
  'autoscaling.v2beta1.HorizontalPodAutoscaler',
] as const;

interface Found {
  readonly changed: string[][];
  readonly removed: string[][];
}

/** undefined is absent; null is a value. */
function walk(type: FieldType, left: unknown, right: unknown, path: string[], out: Found): void {
  const note = (isLeaf: boolean): void => {
    if (path.length === 0) return;
    if (left === undefined) out.changed.push(path);
    else if (right === undefined) out.removed.push(path);
    else if (isLeaf && !equalDocuments(left, right)) out.changed.push(path);
  };
  const lefts = partsOf(type, left);
  const rights = partsOf(type, right);
  if (lefts === undefined || rights === undefined || lefts.size + rights.size === 0) {
    // A map on one side only: its members come or go.
    for (const [parts, isLeft] of [
      [lefts, true],
      [rights, false],
    ] as const) {
      // prettier-ignore
      for (const [element, [below, value]] of parts ?? []) {
        const [l, r] = isLeft ? [value, undefined] : [undefined, value];
        walk(below, l, r, [...path, element], out);
      }
    }
    const isBesideNull = left === null || right === null;
    if (!isBesideNull || (lefts?.size ?? 0) + (rights?.size ?? 0) === 0) note(true);
    return;
  }
  for (const element of new Set([...lefts.keys(), ...rights.keys()])) {
    const [below] = (lefts.get(element) ?? rights.get(element)) as Part;
    walk(below, lefts.get(element)?.[1], rights.get(element)?.[1], [...path, element], out);
  }
  note(false);
}

type Part = readonly [type: FieldType, value: unknown];

/** By element; undefined of a leaf. Nothing has no parts. */
function partsOf(type: FieldType, value: unknown): ReadonlyMap<string, Part> | undefined {
  if (type.kind === 'scalar') return undefined;
  if (type.kind === 'list') {
    if (type.relation === 'atomic') return undefined;
    const items = (value ?? []) as readonly unknown[];
    const parts = items.map((item): [string, Part] => [elementOf(type, item), [type.item, item]]);
    return new Map(parts);
  }
  if (type.kind === 'untyped') {
    if (value === undefined) return new Map();
    if (!isMembers(value)) return undefined;
  } else if (type.isAtomic) return undefined;
  return new Map(
    Object.entries((value ?? {}) as Members).map(([name, member]): [string, Part] => [
      `f:${name}`,
      [type.kind === 'untyped' ? type : memberType(type, name), member],
    ]),
  );
}

function memberType(type: FieldType, name: string): FieldType {
  const below = type.kind === 'map' ? type.item : type.kind === 'struct' && type.field(name)?.type;
  if (!below) throw new Error(`nothing is known of ${name}`);
  return below;
}

function elementOf(type: ListType, item: unknown): string {
  if (type.relation === 'set') return valueElement(item);
  const member = (key: string): unknown =>
    (item as Members)[key] ?? type.keyFields.find(({ name }) => name === key)?.default;
  return keyElement(Object.fromEntries(type.keys.map((key) => [key, member(key)])));
}

for (const message of MESSAGES) {
  t.test(message, async (t) => {
    const type = compileFieldTypes(MODEL, message);
    const codec = compileJsonCodec(MODEL, message);
    const random = new Random(message.length);
    const next = (): Members => {
      const text = JSON.stringify(randomObject(MODEL, message, random, { depth: 6 }));
      return codec.decode(text).object;
    };
    let compared = 0;
    for (let round = 0; round < 150; round++) {
      const [before, after] = [round % 3 === 0 ? codec.decode('{}').object : next(), next()];
      const [left, right] = [before, after].map(
        (object) => parseDocument(`{${codec.encode(object)}`) as Members,
      ) as [Members, Members];
      let decoded;
      try {
        decoded = compareFields(type, before, after);
      } catch (error) {
        if (!(error instanceof TypedError)) throw error;
        t.throws(() => compareFields(type, left, right), { message: error.message });
        continue;
      }
      compared += 1;
      const documents = compareFields(type, left, right);
      const found: Found = { changed: [], removed: [] };
      walk(type, left, right, [], found);
      for (const part of ['changed', 'removed'] as const) {
        const expected = setOfPaths(found[part]);
        for (const seen of [decoded, documents]) {
          if (equalSets(seen[part], expected)) continue;
          t.equal(fieldsV1Text(seen[part]), fieldsV1Text(expected), `${part} in round ${round}`);
        }
      }
    }
    t.ok(compared > 10, `${compared} were compared`);
  });
}
