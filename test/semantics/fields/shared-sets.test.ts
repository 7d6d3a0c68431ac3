/** Sets that many objects have: one value for all that are equal, and none kept for ever. */
import t from 'tap';
import { allFields } from '../../../src/semantics/fields/all-fields.ts';
import { EMPTY_SET, equalSets, LEAF } from '../../../src/semantics/fields/field-set.ts';
import { fieldsV1Text } from '../../../src/semantics/fields/field-set-text.ts';
import { compileFieldTypes } from '../../../src/semantics/fields/field-types.ts';
import { SharedSets, sharingOf } from '../../../src/semantics/fields/shared-sets.ts';
import { model } from '../../codec/proto-model.ts';

const POD = compileFieldTypes(model, 'core.v1.Pod');

const podOf = (image: string, port: number, more: object = {}): object => ({
  metadata: { labels: { app: 'a' } },
  spec: {
    containers: [{ name: 'app', image, ports: [{ containerPort: port }], ...more }],
    nodeSelector: { pool: 'a' },
  },
});

t.test('objects with the same fields have one set, whatever is in them', async (t) => {
  const sets = [podOf('one', 80), podOf('two', 80)].map((pod) => allFields(POD, pod, 0, false));
  t.equal(sets[0], sets[1]);
  const text = fieldsV1Text(sets[0]!);
  t.match(text, '"k:{\\"name\\":\\"app\\"}":{".":{},"f:image":{}');
  for (const other of [podOf('one', 81), podOf('one', 80, { tty: true })]) {
    const set = allFields(POD, other, 0, false);
    t.notOk(equalSets(set, sets[0]!));
    t.not(fieldsV1Text(set), text);
  }
});

t.test('a set of others is not made the same', async (t) => {
  const sets = new SharedSets();
  const one = sets.of(['f:a', 'f:b'], [LEAF, LEAF]);
  t.equal(sets.of(['f:a', 'f:b'], [LEAF, LEAF]), one);
  t.not(sets.of(['f:a', 'f:c'], [LEAF, LEAF]), one);
  t.not(sets.of(['f:a'], [LEAF]), one);
  t.not(sets.of(['f:a', 'f:b'], [LEAF, one]), one);
  t.equal(sets.of([], []), LEAF);
});

t.test('the oldest goes, and sets that no other can have are not shared', async (t) => {
  const sets = new SharedSets();
  const numbered = (at: number) => sets.of([`f:${at}`], [LEAF]);
  const first = numbered(0);
  for (let at = 1; at <= 6; at += 1) numbered(at);
  t.not(numbered(0), first);
  const alone = { isMember: true, elements: ['f:x'], children: [LEAF] };
  t.equal(sharingOf(sets.of(['f:a'], [alone])), undefined, 'above one that is not');
  const elements = Array.from({ length: 1_000 }, (_, at) => `f:${at}`);
  const large = sets.of(
    elements,
    elements.map(() => LEAF),
  );
  t.equal(sharingOf(large), undefined, 'of more than a thousand places');
  t.equal(sharingOf(EMPTY_SET), undefined);
});
