// The entries of managedFields.
import t from 'tap';
import { RawJson } from '../../../src/codec/json/raw-json.ts';
import {
  equalSets,
  parseFieldsV1,
  pathTexts,
  setOfPaths,
} from '../../../src/semantics/fields/field-set.ts';
import {
  isSameOwner,
  formatManagedFields,
  ownerText,
  parseManagedFields,
  SENT_FIELDS_DEPTH_MAX,
  sentManagedFields,
  withTime,
  type ManagedEntry,
} from '../../../src/semantics/fields/managed-fields.ts';

function entry(manager: string, rest: Partial<ManagedEntry> = {}): ManagedEntry {
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2022-01-01T00:00:00Z',
    subresource: '',
    fields: setOfPaths([['f:data', 'f:a']]),
    ...rest,
  };
}

t.test('text', async (t) => {
  t.equal(formatManagedFields([]), '', 'there are no entries');
  t.equal(
    formatManagedFields([entry('ann', { subresource: 'status', operation: 'Apply' })]),
    '[{"manager":"ann","operation":"Apply","apiVersion":"v1","time":"2022-01-01T00:00:00Z",' +
      '"fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}},"subresource":"status"}]',
    'members in the order of the kind',
  );
  t.equal(
    formatManagedFields([entry('', { time: '' }), entry('<a>"', { time: '' })]),
    '[{"operation":"Update","apiVersion":"v1",' +
      '"fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}},' +
      '{"manager":"\\u003ca\\u003e\\"","operation":"Update","apiVersion":"v1",' +
      '"fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}]',
    'absent members, and names that need escapes',
  );
});

t.test('another time', async (t) => {
  const time = '2024-02-29T12:00:00Z';
  for (const one of [entry('ann'), entry('a,"time":"b'), entry('ann', { time: '' })]) {
    const [read] = parseManagedFields(formatManagedFields([one]));
    for (const before of [one, read as ManagedEntry]) {
      const after = withTime(before, time);
      t.equal(formatManagedFields([after]), formatManagedFields([{ ...one, time }]), one.manager);
      t.equal(after.time, time);
    }
  }
});

t.test('order', async (t) => {
  const inOrder = [
    entry('z', { operation: 'Apply', time: '2023-01-01T00:00:00Z' }),
    entry('z', { time: '' }),
    entry('z', { time: '2021-01-01T00:00:00Z' }),
    entry('a'),
    entry('b'),
    entry('b', { subresource: 'status' }),
    entry('b', { apiVersion: 'v2' }),
  ];
  const expected = formatManagedFields(inOrder);
  t.equal(
    formatManagedFields(inOrder.toReversed()),
    expected,
    'of the reference, whatever is given',
  );
  t.equal(formatManagedFields(parseManagedFields(expected).toReversed()), expected, 'as when read');
});

const FIELDS = [
  ['f:metadata', 'f:labels'],
  ['f:metadata', 'f:labels', 'f:__proto__'],
  ['f:metadata', 'f:labels', 'f:with "quotes" and \\'],
  ['f:metadata', 'f:labels', 'f:\\'],
  ['f:metadata', 'f:labels', 'f:<é>\u2028'],
  ['f:spec', 'f:list', 'k:{"name":"a \\"b\\""}'],
  ['f:spec', 'f:list', 'k:{"name":"a \\"b\\""}', 'f:name'],
  ['f:spec', 'f:set', 'v:"x"'],
  ['f:spec', 'f:set', 'v:12'],
  ['f:spec', 'f:set', 'i:3'],
];

t.test('what the server wrote is read as it was', async (t) => {
  const entries = [
    entry('ann', { operation: 'Apply', fields: setOfPaths(FIELDS) }),
    entry('"},{"fieldsV1":{', { time: '', fields: setOfPaths(FIELDS.slice(3)) }),
    entry('', { subresource: 'status', apiVersion: 'apps/v1' }),
    entry('zoe', { fields: setOfPaths([]) }),
  ];
  const text = formatManagedFields(entries);
  const read = parseManagedFields(text);
  const withoutFields = (entry: ManagedEntry): object => ({ ...entry, fields: undefined });
  t.same(read.map(withoutFields), entries.map(withoutFields));
  const plain = JSON.parse(text) as { fieldsV1: unknown }[];
  for (const [at, { fields }] of read.entries()) {
    t.ok(equalSets(fields, parseFieldsV1(plain[at]?.fieldsV1)), `fields of entry ${at}`);
  }
  t.equal(formatManagedFields(read), text, 'and written as it was read');
  t.same(parseManagedFields(''), [], 'nothing');
  t.same(parseManagedFields('[]'), [], 'no entries');
});

t.test('a read entry is written anew where it changed', async (t) => {
  const [read] = parseManagedFields(formatManagedFields([entry('ann')]));
  t.equal(
    formatManagedFields([{ ...(read as ManagedEntry), fields: setOfPaths([['f:data', 'f:b']]) }]),
    formatManagedFields([entry('ann', { fields: setOfPaths([['f:data', 'f:b']]) })]),
  );
});

t.test('text that the server cannot have written is refused', async (t) => {
  const whole = formatManagedFields([entry('ann', { subresource: 'status' }), entry('bob')]);
  for (let length = 1; length < whole.length; length++) {
    t.throws(() => parseManagedFields(whole.slice(0, length)), `cut at ${length}`);
  }
  for (const text of ['{}', 'null', '[1]', '[[]]', '["a"]', '[{"other":"x"}]', '[{"manager":1}]']) {
    t.throws(() => parseManagedFields(text), text);
  }
});

t.test('owners', async (t) => {
  const update = entry('ann');
  const apply = entry('ann', { operation: 'Apply' });
  t.ok(isSameOwner(update, entry('ann', { time: '' })), 'whatever the time');
  t.notOk(isSameOwner(update, apply), 'the operation');
  t.notOk(isSameOwner(update, entry('bob')), 'the manager');
  t.notOk(isSameOwner(update, entry('ann', { subresource: 'status' })), 'the subresource');
  t.notOk(isSameOwner(update, entry('ann', { apiVersion: 'v2' })), 'the version of an update');
  t.ok(isSameOwner(apply, { ...apply, apiVersion: 'v2' }), 'not the version of an apply');
  t.equal(ownerText(update), '{"manager":"ann","operation":"Update","apiVersion":"v1"}');
  t.equal(
    ownerText({ ...apply, subresource: 'status' }),
    '{"manager":"ann","operation":"Apply","subresource":"status"}',
  );
});

/** An entry as a body has it, decoded. */
function sent(fieldsV1: string | undefined, rest: object = {}): object {
  return {
    manager: 'ann',
    operation: 'Update',
    apiVersion: 'v1',
    time: '2022-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    ...(fieldsV1 === undefined ? {} : { fieldsV1: new RawJson(fieldsV1) }),
    ...rest,
  };
}

function paths(list: ReturnType<typeof sentManagedFields>): unknown {
  if (list === undefined || list === 'reset') return list;
  return list.map(({ manager, fields }) => [manager, ...pathTexts(fields)]);
}

const nested = (depth: number): string =>
  `${'{"f:a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

const SENT: readonly [name: string, list: readonly unknown[] | undefined, taken: unknown][] = [
  ['nothing', undefined, undefined],
  ['an empty list', [], undefined],
  ['one empty entry', [{}], 'reset'],
  ['one empty entry without a prototype', [Object.create(null)], 'reset'],
  ['two empty entries', [{}, {}], undefined],
  ['a list', [sent('{"f:a":{}}')], [['ann', '.a']]],
  [
    'members in any order, of unknown sorts and escaped',
    [sent('{"v:1":{},"f:b":{},"x:y":{},"f:\\u0061":{".":{},"f:c":{}},".":{}}')],
    [['ann', '.a', '.b', '[=1]', '.a.c']],
  ],
  [
    'two entries of one owner',
    [sent('{"f:a":{}}'), sent('{"f:b":{}}', { time: '' })],
    [['ann', '.b']],
  ],
  [
    'entries without fields',
    [sent(undefined), sent('{}', { manager: 'b' }), sent('null', { manager: 'c' })],
    [],
  ],
  ['no operation', [sent('{"f:a":{}}', { operation: undefined })], undefined],
  ['another operation', [sent('{"f:a":{}}', { operation: 'Patch' })], undefined],
  ['no version', [sent('{"f:a":{}}', { apiVersion: undefined })], undefined],
  ['no type', [sent('{"f:a":{}}', { fieldsType: undefined })], undefined],
  ['another type', [sent('{"f:a":{}}', { fieldsType: 'FieldsV2' })], undefined],
  ['no object', [sent('[]')], undefined],
  ['no element', [sent('{"a":{}}')], undefined],
  ['no key', [sent('{"k:x":{}}')], undefined],
  ['no index', [sent('{"i:x":{}}')], undefined],
  ['one bad entry of two', [sent('{"f:a":{}}'), sent('{"f:a":1}', { manager: 'b' })], undefined],
  ['too deep', [sent(nested(SENT_FIELDS_DEPTH_MAX + 1))], undefined],
  ['very deep', [sent(nested(100_000))], undefined],
  ['a very deep value', [sent(`{"v:${'['.repeat(1e6)}${']'.repeat(1e6)}":{}}`)], undefined],
  ['a value that is too deep', [sent(`{"v:${'['.repeat(501)}${']'.repeat(501)}":{}}`)], undefined],
  [
    'a deep value',
    [sent(`{"v:${'['.repeat(500)}${']'.repeat(500)}":{}}`)],
    [['ann', `[=${'['.repeat(500)}${']'.repeat(500)}]`]],
  ],
];

t.test('what clients send', async (t) => {
  for (const [name, list, taken] of SENT) t.same(paths(sentManagedFields(list)), taken, name);
  const deepest = sentManagedFields([sent(nested(SENT_FIELDS_DEPTH_MAX))]);
  t.equal(deepest?.length, 1, 'the deepest that is taken');
  const bracketed = sentManagedFields([sent(`{"f:${'{'.repeat(600)}":{}}`)]);
  t.equal(bracketed?.length, 1, 'brackets in a name');
});
