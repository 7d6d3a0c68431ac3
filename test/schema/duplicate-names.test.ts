// Names that repeat, as `fieldValidation` tells them for objects without a message.
import t from 'tap';
import { duplicateNames } from '../../src/schema/duplicate-names.ts';

t.test('each name once, without a path', async (t) => {
  for (const [text, names] of [
    ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}', []],
    [
      '{"labels":{"a":"b","a":"c"},"spec":{"a":1, "a":2,"emb":{"spec":{},"spec":{}}}}',
      ['"a"', '"spec"'],
    ],
    ['{"a":1,"\\u0061":2,"__proto__":1,"__proto__":2}', ['"a"', '"__proto__"']],
    ['[{"x y\\"":[],"x y\\"":[[{"z":{},"z":1}]]}]', ['"x y\\""', '"z"']],
    [' {"a" : "{\\"b\\":1,\\"b\\":2}" , "a":null} ', ['"a"']],
    ['5', []],
  ] as const) {
    t.same(
      duplicateNames(text),
      names.map((name) => `duplicate field ${name}`),
      text,
    );
  }
});

t.test('so many, so deep', async (t) => {
  const members = Array.from({ length: 500 }, (_, at) => `"n${at}":1,"n${at}":2`).join();
  t.equal(duplicateNames(`{${members}}`).length, 100);
  t.same(duplicateNames(`${'{"a":['.repeat(5000)}{"b":1,"b":2}${']}'.repeat(5000)}`), [
    'duplicate field "b"',
  ]);
});
