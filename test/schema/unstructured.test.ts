// Values that no message describes: what JSON text says, exactly, and back.
import fc from 'fast-check';
import t from 'tap';
import { membersText, parseUnstructured, unstructuredText } from '../../src/schema/unstructured.ts';

t.test('numbers keep what an int64 or a float holds', async (t) => {
  for (const [text, value] of [
    ['1', 1],
    ['1.0', 1],
    ['1e3', 1000],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['9223372036854775808', 9223372036854775808],
    ['123456789012345678901234567890', 1.2345678901234568e29],
    ['0.1234567890123456789', 0.12345678901234568],
    ['1e308', 1e308],
    ['1e-999', 0],
  ] as const) {
    t.equal(parseUnstructured(text), value, text);
    t.same(parseUnstructured(`{"a":[${text},{"b":${text}}]}`), { a: [value, { b: value }] }, text);
  }
});

t.test('a number that no float holds is refused in the words of the reference', async (t) => {
  for (const text of ['1e999', '-1e999', '9'.repeat(400)]) {
    const message = `json: cannot unmarshal number ${text} into Go value of type float64`;
    t.throws(() => parseUnstructured(`{"a":[${text}]}`), { name: 'DecodeError', message });
  }
  t.throws(() => parseUnstructured('{"a":'), SyntaxError);
});

t.test(
  'text has members by name and numbers and escapes as the reference writes them',
  async (t) => {
    for (const [text, written] of [
      ['{"b":1,"a":2}', '{"a":2,"b":1}'],
      ['{"a":1,"b":2}', '{"a":1,"b":2}'],
      ['{"10":1,"9":2,"a":{"2":0,"1":[]}}', '{"10":1,"9":2,"a":{"1":[],"2":0}}'],
      ['{"__proto__":{"b":1,"a":2},"a":1}', '{"__proto__":{"a":2,"b":1},"a":1}'],
      ['{"constructor":1,"__proto__":2}', '{"__proto__":2,"constructor":1}'],
      ['{"a":"<&>\\u2028\\b\\f"}', '{"a":"\\u003c\\u0026\\u003e\\u2028\\u0008\\u000c"}'],
      ['{"b":"<","a":">"}', '{"a":"\\u003e","b":"\\u003c"}'],
      ['{"<b":1,"<a":1}', '{"\\u003ca":1,"\\u003cb":1}'],
      ['{"\uffff":1,"\u{1f600}":2}', '{"\uffff":1,"\u{1f600}":2}'],
      ['{"\u{1f600}":1,"\uffff":2,"a\uffff":3}', '{"a\uffff":3,"\uffff":2,"\u{1f600}":1}'],
      ['[1.0,1e21,1e20,1e-7,1e-6,-0.5]', '[1,1e+21,100000000000000000000,1e-7,0.000001,-0.5]'],
      ['{"n":9223372036854775807,"m":null}', '{"m":null,"n":9223372036854775807}'],
      ['[]', '[]'],
      ['{}', '{}'],
      ['"a"', '"a"'],
      ['null', 'null'],
    ] as const) {
      t.equal(unstructuredText(parseUnstructured(text)), written, text);
    }
    t.equal(unstructuredText({ b: undefined, a: [1n] }), '{"a":[1]}');
    t.equal(unstructuredText({ b: undefined, a: [1] }), '{"a":[1]}');
  },
);

t.test('objects whose names look alike are written in their own order', async (t) => {
  const objects = [
    ['{"b":1,"a":2}', '{"a":2,"b":1}'],
    ['{"a":1,"b":2}', '{"a":1,"b":2}'],
    ['{"d":1,"c":2}', '{"c":2,"d":1}'],
    ['{"<":1,"c":2}', '{"\\u003c":1,"c":2}'],
  ] as const;
  for (const [text, written] of [...objects, ...objects]) {
    t.equal(unstructuredText(parseUnstructured(text)), written, text);
  }
  const long = { [`b${'x'.repeat(5_000)}`]: 1, a: 2 };
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`n${999 - at}`, at]));
  for (const object of [long, many, long, many]) {
    const names = Object.keys(JSON.parse(unstructuredText(object)) as object);
    t.same(names, Object.keys(object).sort());
  }
});

t.test('members are written without one of them', async (t) => {
  t.equal(membersText({ c: { a: 1 }, a: { a: 1 }, b: undefined }, 'a'), '"c":{"a":1}');
  t.equal(membersText({ b: 1, '': 2 }, 'a'), '"":2,"b":1');
  t.equal(membersText({ a: 1 }, 'a'), '');
});

t.test('text that was read is written, and what was written reads the same', async () => {
  const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'grapheme' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      integer,
      fc.constantFrom(null, true, false),
      fc.array(tie('value')),
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('10', '9', '__proto__')), tie('value')),
    ),
  })).value;
  fc.assert(
    fc.property(values, (value) => {
      const text = unstructuredText(value);
      return unstructuredText(parseUnstructured(text)) === text;
    }),
  );
});

t.test('what nests as deep as a body may is read and written', async (t) => {
  for (const inside of ['1', '9007199254740993', '{"b":1,"a":2}']) {
    const text = `${'{"a":['.repeat(5000)}${inside}${']}'.repeat(5000)}`;
    const value = parseUnstructured(text);
    t.equal(unstructuredText(value).length, text.length);
  }
});
