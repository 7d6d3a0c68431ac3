/** Values that are like others before end where their text ends. */
import t from 'tap';
import { SkippedValues } from '../../src/codec/json/skipped-values.ts';
import { Random } from '../support/random.ts';

const LONG = 'x'.repeat(80);

/** Asks for the end of each text, in turn, among other bytes. */
function endsAreFound(values: SkippedValues, texts: readonly string[]): boolean {
  return texts.every((text, at) => {
    const before = '"a":'.slice(0, at % 5);
    const bytes = Buffer.from(`${before}${text}${[',"b":1}', ']', '}'][at % 3]}`);
    return values.end(bytes, before.length) === before.length + Buffer.byteLength(text);
  });
}

t.test('values that differ from a known one in any way', async (t) => {
  const known = { a: LONG, b: 'one', c: [1, 'two', null], d: { e: true }, f: -1.5 };
  const others: readonly object[] = [
    { ...known, b: 'eleven' },
    { ...known, b: '"' },
    { ...known, b: '\\' },
    { ...known, b: '},"b":"' },
    { ...known, b: LONG },
    { ...known, b: '\u20ac' },
    { ...known, b: '' },
    { ...known, b: null },
    { ...known, b: {} },
    { ...known, b: [known] },
    { ...known, c: [15, 'two', null] },
    { ...known, c: [1, 'two', 'null'] },
    { ...known, c: [1, 'two', null, 4] },
    { ...known, c: [] },
    { ...known, c: [[]] },
    { ...known, d: {} },
    { ...known, d: { e: false } },
    { ...known, d: { g: true } },
    { ...known, f: 0 },
    { ...known, g: 1 },
    { g: 1, ...known },
    { a: LONG },
    [known],
  ];
  for (const one of others) {
    for (const two of others) {
      const texts = [known, known, one, one, two, known, one, two].map((value) =>
        JSON.stringify(value),
      );
      if (!endsAreFound(new SkippedValues(), texts)) t.fail(texts.join('\n'));
    }
  }
  t.ok(endsAreFound(new SkippedValues(), ['null', '""', '{}', '[]', `"${LONG}"`, '-1', 'true']));
});

t.test('what is stepped over ends inside of the bytes that are there', async (t) => {
  const values = new SkippedValues();
  const text = Buffer.from(JSON.stringify({ a: LONG, b: 'one' }));
  t.equal(values.end(text, 0), text.length);
  t.throws(() => values.end(text.subarray(0, -1), 0), /does not end/);
});

t.test('values of several templates in any order, some alike and some not', async (t) => {
  const random = new Random(3);
  const scalars: readonly [unknown, ...unknown[]] = ['a', 'bc"', '', 0, -12, true, null, LONG];
  const random4 = (): unknown[] => Array.from({ length: 4 }, () => random.pick(scalars));
  const template = (at: number) => (): object => ({
    [`name${at}`]: `t${at}`,
    fixed: Array.from({ length: 12 }, (_, index) => ({ key: `k${index}`, value: at * index })),
    differing: random4(),
    last: random.below(20) === 0 ? random4() : {},
  });
  const templates = [template(0), template(1), template(2), template(3), template(4), template(5)];
  for (const count of [1, 2, 3, 6]) {
    const values = new SkippedValues();
    const texts = Array.from({ length: 1_500 }, (_, at) => {
      const chosen = random.below(10) === 0 ? random.below(6) : at % count;
      return JSON.stringify(templates[chosen]!());
    });
    t.ok(endsAreFound(values, texts), `${count} in turn`);
  }
});
