/** Strategic merge patches that mean harm. */
import t from 'tap';
import type { Members } from '../../../src/codec/model/schema-model.ts';
import { goStringText, goValueText } from '../../../src/semantics/patch/go-value-text.ts';
import { parseDocument } from '../../../src/semantics/patch/document.ts';
import { applyStrategicPatch } from '../../../src/semantics/patch/strategic-patch.ts';
import { deepText } from '../../support/deep-text.ts';
import { demoPlan, outcome } from './strategic-notation.ts';

const LEVELS = 10_000;
const MANY = 10_000;

function parsed(text: string): Members {
  return parseDocument(text) as Members;
}

/** As text, which shows own members only, whatever they are called. */
function patchedText(document: string, patch: string): string {
  return deepText(outcome(demoPlan, parsed(document), parsed(patch)));
}

t.test('members with the names of a prototype are members like any other', async (t) => {
  const rows: [document: string, patch: string, result: string][] = [
    [
      '{"labels":{"a":"b"}}',
      '{"labels":{"__proto__":"x","constructor":"y"}}',
      '{"labels":{"a":"b","__proto__":"x","constructor":"y"}}',
    ],
    [
      '{"labels":{"__proto__":"x","toString":"y"}}',
      '{"labels":{"__proto__":null,"toString":null}}',
      '{"labels":{}}',
    ],
    [
      '{"labels":{}}',
      '{"labels":{"__proto__":{"polluted":"x"}}}',
      '{"labels":{"__proto__":{"polluted":"x"}}}',
    ],
    [
      '{}',
      '{"__proto__":{"name":"x"},"constructor":{"prototype":{}}}',
      '{"__proto__":{"name":"x"},"constructor":{"prototype":{}}}',
    ],
    [
      '{"labels":{"a":"b"}}',
      '{"labels":{"$patch":"replace","__proto__":"x"}}',
      '{"labels":{"__proto__":"x"}}',
    ],
    [
      '{"inner":{"__proto__":"x","name":"a"}}',
      '{"inner":{"$retainKeys":["__proto__"]}}',
      '{"inner":{"__proto__":"x"}}',
    ],
    ['{"inner":{}}', '{"inner":{"$retainKeys":["name"],"constructor":null}}', '{"inner":{}}'],
    [
      '{"things":[{"name":"__proto__"}]}',
      '{"things":[{"name":"__proto__","value":"x"}]}',
      '{"things":[{"name":"__proto__","value":"x"}]}',
    ],
    [
      '{}',
      '{"$deleteFromPrimitiveList/__proto__":[1],"$deleteFromPrimitiveList/toString":[1]}',
      '{}',
    ],
  ];
  for (const [document, patch, result] of rows)
    t.equal(patchedText(document, patch), result, patch);
  t.equal(
    outcome(demoPlan, {}, parsed('{"$setElementOrder/__proto__":[]}')),
    '500 unable to find api field in struct Thing for the json field "__proto__"',
  );
  t.equal(({} as { polluted?: string }).polluted, undefined);
});

t.test('nesting as deep as a body can be', async (t) => {
  const nested = (open: string, core: string, close: string): string =>
    open.repeat(LEVELS) + core + close.repeat(LEVELS);
  const rows: [what: string, document: string, patch: string, result: string][] = [
    [
      'objects that are merged',
      nested('{"inner":', '{"name":"a"}', '}'),
      nested('{"inner":', '{"value":"b"}', '}'),
      nested('{"inner":', '{"name":"a","value":"b"}', '}'),
    ],
    ['objects that are new', '{}', nested('{"inner":', '{}', '}'), nested('{"inner":', '{}', '}')],
    [
      'items that are merged',
      nested('{"things":[{"name":"a"},', '{"name":"b"}', ']}').replaceAll(
        ',{"things"',
        ',{"name":"b","things"',
      ),
      nested('{"things":[', '{"name":"b","value":"c"}', ']}').replaceAll(
        '[{"things"',
        '[{"name":"b","things"',
      ),
      nested('{"things":[{"name":"a"},', '{"name":"b","value":"c"}', ']}').replaceAll(
        ',{"things"',
        ',{"name":"b","things"',
      ),
    ],
    [
      'items that come twice',
      '{"things":[{"name":"b"}]}',
      `{"things":[${nested('{"name":"b","inner":', '{}', '}')},{"name":"b","inner":{}}]}`,
      `{"things":[${nested('{"name":"b","inner":', '{}', '}')}]}`,
    ],
  ];
  for (const [what, document, patch, result] of rows) {
    const patched = applyStrategicPatch(demoPlan, parsed(document), parsed(patch));
    t.ok(deepText(patched) === result, what);
  }
});

t.test('a refusal shows so much of what is nested deep', async (t) => {
  const nested = parsed(`{"$patch":"x","a":${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}}`);
  const refusal = String(outcome(demoPlan, {}, nested));
  t.match(refusal, /^500 unknown patch type: x in map: map\[\$patch:x a:\[{100}/);
  t.ok(refusal.length < 1_000, `${refusal.length} characters`);
});

t.test('values in errors look as Go prints them', async (t) => {
  const value = parsed('{"b":[null,true,"s"],"a":1.5,"c":1234567.5,"d":0.00001,"e":{},"f":-7}');
  t.equal(goValueText(value), 'map[a:1.5 b:[<nil> true s] c:1.2345675e+06 d:1e-05 e:map[] f:-7]');
  const numbers = parsed('{"a":[9007199254740993,18446744073709551616,1e400,-1e400]}');
  t.equal(goValueText(numbers), 'map[a:[9007199254740993 1.8446744073709552e+19 +Inf -Inf]]');
  t.equal(goStringText(['x', null, 1, 0.5]), '[x <nil> %!s(int64=1) %!s(float64=0.5)]');
});

t.test('integers that no number holds are keys and values like others', async (t) => {
  const rows: [document: string, patch: string, result: string][] = [
    [
      '{"numbers":[9007199254740993]}',
      '{"numbers":[9007199254740993,9007199254740995]}',
      '{"numbers":[9007199254740993,9007199254740995]}',
    ],
    [
      '{"numbers":[9007199254740993,1]}',
      '{"$deleteFromPrimitiveList/numbers":[9007199254740993]}',
      '{"numbers":[1]}',
    ],
    [
      '{"ports":[{"port":9007199254740993}]}',
      '{"ports":[{"port":9007199254740993,"name":"a"}]}',
      '{"ports":[{"port":9007199254740993,"name":"a"}]}',
    ],
    ['{"other":1}', '{"other":9007199254740993}', '{"other":9007199254740993}'],
    ['{"inner":{"name":"a"}}', '{"inner":9007199254740993}', '{"inner":9007199254740993}'],
  ];
  for (const [document, patch, result] of rows)
    t.equal(patchedText(document, patch), result, patch);
});

function range<T>(item: (index: number) => T): T[] {
  return Array.from({ length: MANY }, (_, index) => item(index));
}

t.test('ten thousand items are put in another order', async (t) => {
  const reversed = range((index) => ({ name: `n${MANY - 1 - index}` }));
  const document = { things: range((index) => ({ name: `n${index}`, other: 'o' })) };
  const changes = reversed.map(({ name }) => ({ name, value: 'x' }));
  const patch = { '$setElementOrder/things': reversed, things: changes };
  const expected = { things: reversed.map(({ name }) => ({ name, other: 'o', value: 'x' })) };
  const patched = applyStrategicPatch(demoPlan, document, patch);
  t.equal(deepText(patched), deepText(expected));
});

t.test('ten thousand items that are all the same', async (t) => {
  const document = { things: [{ name: 'a' }] };
  const patch = { things: range((index) => ({ name: 'a', value: `${index}` })) };
  const patched = applyStrategicPatch(demoPlan, document, patch);
  t.strictSame(patched, { things: [{ name: 'a', value: `${MANY - 1}` }] });
});

t.test('ten thousand directives', async (t) => {
  const items = { things: range((index) => ({ name: `n${index}` })) };
  const deletions = { things: range((index) => ({ name: `n${index}`, $patch: 'delete' })) };
  t.strictSame(applyStrategicPatch(demoPlan, items, deletions), { things: [] });

  const numbers = { numbers: range((index) => index) };
  const removals = { '$deleteFromPrimitiveList/numbers': range((index) => index) };
  t.strictSame(applyStrategicPatch(demoPlan, numbers, removals), { numbers: [] });

  const orders = Object.fromEntries(range((index) => [`$setElementOrder/x${index}`, []]));
  t.match(outcome(demoPlan, {}, orders), /^500 unable to find api field/);

  const members = Object.fromEntries(range((index) => [`k${index}`, { $patch: 'replace' }]));
  const before = Object.fromEntries(range((index) => [`k${index}`, 'x']));
  const labels = { labels: { ...members, $retainKeys: Object.keys(members) } };
  t.strictSame(applyStrategicPatch(demoPlan, { labels: before }, labels), { labels: members });
});
