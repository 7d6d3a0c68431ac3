/** Tables of custom objects, as the reference prints them. */
import t from 'tap';
import type { ApiObject } from '../../src/resources/kind.ts';
import { agelessRow, columnsText, rowStart } from '../../src/resources/table-document.ts';
import { customPrinter } from '../../src/types/custom/custom-printer.ts';
import type { ColumnFacts } from '../../src/types/custom/definition-facts.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const TYPE = { apiVersion: 'example.com/v1', kind: 'Thing' };

function column(jsonPath: string, type = 'string'): ColumnFacts {
  return { name: jsonPath, type, format: '', description: '', priority: 0, jsonPath };
}

function cellsText(columns: readonly ColumnFacts[], members: object): string {
  const object = { metadata: { name: 'one' }, ...members } as ApiObject;
  const text = rowStart(agelessRow(customPrinter(columns, TYPE), object), NOW);
  return text.slice('{"cells":'.length, -',"object":'.length);
}

t.test('cells of each type, by value', async (t) => {
  const long = 9007199254740993n;
  const cases: readonly [
    value: unknown,
    cells: readonly [
      string: string,
      integer: string,
      number: string,
      boolean: string,
      date: string,
    ],
  ][] = [
    ['x', ['"x"', 'null', 'null', 'null', '"<invalid>"']],
    ['', ['""', 'null', 'null', 'null', '"<unknown>"']],
    ['null', ['"null"', 'null', 'null', 'null', '"<unknown>"']],
    ['7', ['"7"', 'null', 'null', 'null', '"<invalid>"']],
    ['0001-01-01T00:00:00Z', ['"0001-01-01T00:00:00Z"', 'null', 'null', 'null', '"<unknown>"']],
    ['2025-12-31T23:59:00.5Z', ['"2025-12-31T23:59:00.5Z"', 'null', 'null', 'null', '"59s"']],
    ['2026-01-01T01:59:00+02:00', ['"2026-01-01T01:59:00+02:00"', 'null', 'null', 'null', '"60s"']],
    ['2027-01-01T00:00:00Z', ['"2027-01-01T00:00:00Z"', 'null', 'null', 'null', '"<invalid>"']],
    [7, ['"7"', '7', '7', 'null', 'null']],
    [-7.9, ['"-7.9"', '-7', '-7.9', 'null', 'null']],
    [1234567.5, ['"1.2345675e+06"', '1234567', '1234567.5', 'null', 'null']],
    [0.00001, ['"1e-05"', '0', '0.00001', 'null', 'null']],
    [1e20, ['"1e+20"', '-9223372036854775808', '100000000000000000000', 'null', 'null']],
    [long, [`"${long}"`, `${long}`, '9007199254740992', 'null', 'null']],
    [true, ['"true"', 'null', 'null', 'true', 'null']],
    [null, ['"<no value>"', 'null', 'null', 'null', 'null']],
    [
      { b: [1, long], a: '<' },
      [`"{\\"a\\":\\"\\\\u003c\\",\\"b\\":[1,${long}]}"`, 'null', 'null', 'null', 'null'],
    ],
    [[], ['"[]"', 'null', 'null', 'null', 'null']],
    [undefined, ['null', 'null', 'null', 'null', 'null']],
  ];
  const types = ['string', 'integer', 'number', 'boolean', 'date'];
  const columns = types.map((type) => column('.spec', type));
  for (const [spec, cells] of cases) {
    const expected = `["one",${cells.join(',')}]`.replaceAll(/<(\w+ ?\w*)>/g, '\\u003c$1\\u003e');
    t.equal(cellsText(columns, { spec }), expected, String(spec));
  }
});

t.test('numbers that paths themselves have', async (t) => {
  const columns = [column('.spec 5'), column('.spec 5', 'integer'), column('.spec 2.5', 'integer')];
  t.equal(cellsText(columns, { spec: {} }), '["one","5",null,2]');
});

t.test('the first of several results is shown', async (t) => {
  const members = { status: { conditions: [{ type: 'A' }, { type: 'B' }] } };
  t.equal(cellsText([column('.status.conditions[*].type')], members), '["one","A"]');
});

t.test('the whole object is there, with its type', async (t) => {
  const paths = ['.kind', '.apiVersion', '.metadata.name', '.metadata.labels.a\\.b/c'];
  const metadata = { name: 'one', labels: { 'a.b/c': 'd' } };
  const cells = cellsText(
    paths.map((path) => column(path)),
    { metadata },
  );
  t.equal(cells, '["one","Thing","example.com/v1","one","d"]');
});

t.test('columns say what they are', async (t) => {
  const wide = {
    ...column('.spec.n', 'integer'),
    format: 'int32',
    priority: 2,
    description: 'Much.',
  };
  t.same(JSON.parse(columnsText(customPrinter([column('.spec.x'), wide], TYPE))).slice(1), [
    {
      name: '.spec.x',
      type: 'string',
      format: '',
      description: 'Custom resource definition column (in JSONPath format): .spec.x',
      priority: 0,
    },
    { name: '.spec.n', type: 'integer', format: 'int32', description: 'Much.', priority: 2 },
  ]);
});

t.test('without columns, the age', async (t) => {
  const { columns } = customPrinter([], TYPE);
  t.same(
    columns.map(({ name, type, format = '' }) => [name, type, format]),
    [
      ['Name', 'string', 'name'],
      ['Age', 'date', ''],
    ],
  );
  const metadata = { name: 'one', creationTimestamp: '2025-12-31T23:00:00Z' };
  t.equal(cellsText([], { metadata }), '["one","60m"]');
});

t.test('columns end before a path that cannot be understood', async (t) => {
  const columns = [column('.spec.a'), column('.spec['), column('.spec.b')];
  t.equal(customPrinter(columns, TYPE).columns.length, 2);
  t.equal(cellsText(columns, { spec: { a: 1, b: 2 } }), '["one","1"]');
});

t.test('columns that would show an object thousands of times come to an end', async (t) => {
  const columns = Array.from({ length: 1_000 }, () => column('.spec'));
  const cells = JSON.parse(
    cellsText(columns, { spec: { text: 'x'.repeat(100_000) } }),
  ) as unknown[];
  t.equal(cells.length, 1_001);
  t.ok(cells.filter((cell) => cell !== null).length < 50);
});
