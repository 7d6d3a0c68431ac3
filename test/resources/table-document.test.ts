import t from 'tap';
import type { ApiObject } from '../../src/resources/kind.ts';
import type { Printer } from '../../src/resources/printer.ts';
import { DEFAULT_PRINTER } from '../../src/resources/printer-cells.ts';
import { Age } from '../../src/semantics/age-text.ts';
import {
  agelessRow,
  columnsText,
  ROW_TAIL,
  rowStart,
  TABLE_TAIL,
  tableHead,
} from '../../src/resources/table-document.ts';

const OBJECT: ApiObject = { metadata: { name: 'a<b' } };

function printerOf(cells: readonly unknown[], conditions?: Printer['conditions']): Printer {
  const printer: Printer = { columns: [], cells: () => cells };
  return conditions === undefined ? printer : { ...printer, conditions };
}

function rowText(printer: Printer, object: ApiObject, nowMs: number, held: string): string {
  return rowStart(agelessRow(printer, object), nowMs) + held + ROW_TAIL;
}

t.test('each column has all five members', async (t) => {
  const printer: Printer = {
    columns: [
      { name: 'Name', type: 'string', format: 'name', description: 'a "name" <of it>' },
      { name: 'Data', type: 'integer', description: '', priority: 1 },
    ],

    cells: () => [],
  };
  t.equal(
    columnsText(printer),
    String.raw`[{"name":"Name","type":"string","format":"name",` +
      String.raw`"description":"a \"name\" \u003cof it\u003e","priority":0},` +
      '{"name":"Data","type":"integer","format":"","description":"","priority":1}]',
  );
  t.equal(columnsText({ columns: [], cells: () => [] }), '[]');
  t.not(columnsText(DEFAULT_PRINTER), columnsText(printer), 'each printer has its own');
});

t.test('what was not stored has no version', async (t) => {
  const head = tableHead('v1', { rv: '', continueToken: '', remaining: 0 }, 'null');
  t.match(head, '"metadata":{},"columnDefinitions":null');
});

t.test('cells of every type', async (t) => {
  const big = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(
    '12345678901234567890',
  );
  const cells = ['<none>', '\ud800\b', 'plain', 12, 0.5, true, null, big, undefined];
  t.equal(
    rowText(printerOf(cells), OBJECT, 0, 'null'),
    String.raw`{"cells":["\u003cnone\u003e","` +
      '\ufffd' +
      String.raw`\u0008","plain",12,0.5,true,null,12345678901234567890,null],"object":null}`,
  );
  t.equal(rowText(printerOf([]), OBJECT, 0, '{"a":1}'), '{"cells":[],"object":{"a":1}}');
});

t.test('the printer is told of the object', async (t) => {
  const printer: Printer = { columns: [], cells: ({ metadata }) => [metadata.name] };
  t.equal(rowText(printer, OBJECT, 0, 'null'), '{"cells":["a\\u003cb"],"object":null}');
});

t.test('ages are of the moment in which a row is sent', async (t) => {
  const ages = [
    new Age(5_000, '', ''),
    'a\u00015\u0001',
    new Age(0, '2 <', '"ago)'),
    new Age(-1.5, '', ''),
  ];
  const row = agelessRow(printerOf(ages), OBJECT);
  const text = (first: string, second: string, third: string): string =>
    String.raw`{"cells":["${first}","a\u00015\u0001","2 \u003c${second}\"ago)","${third}"],"object":`;
  t.equal(rowStart(row, 5_000), text('0s', '5s', '5s'));
  t.equal(rowStart(row, 0), text(String.raw`\u003cinvalid\u003e`, '0s', '0s'));
  t.equal(rowStart(row, 3_600_000), text('59m', '60m', '60m'));
});

t.test('conditions stand between cells and object, when there are any', async (t) => {
  const completed = {
    message: 'It <ended>.',
    reason: 'Succeeded',
    type: 'Completed',
    status: 'True',
  } as const;
  t.equal(
    rowText(
      printerOf([1], () => [completed]),
      OBJECT,
      0,
      'null',
    ),
    '{"cells":[1],"conditions":[{"type":"Completed","status":"True","reason":"Succeeded",' +
      String.raw`"message":"It \u003cended\u003e."}],"object":null}`,
  );
  t.equal(
    rowText(
      printerOf([1], () => []),
      OBJECT,
      0,
      'null',
    ),
    '{"cells":[1],"object":null}',
  );
});

t.test('head and tail make a document', async (t) => {
  const last = { rv: '7', continueToken: '', remaining: 0 };
  t.equal(
    tableHead('meta.cluster.io/v1', last, '[]') + TABLE_TAIL,
    '{"kind":"Table","apiVersion":"meta.cluster.io/v1","metadata":{"resourceVersion":"7"},' +
      '"columnDefinitions":[],"rows":[]}',
  );
  t.equal(
    tableHead('meta.cluster.io/v1beta1', { rv: '7', continueToken: 'abc', remaining: 3 }, 'null') +
      TABLE_TAIL,
    '{"kind":"Table","apiVersion":"meta.cluster.io/v1beta1","metadata":{"resourceVersion":"7",' +
      '"continue":"abc","remainingItemCount":3},"columnDefinitions":null,"rows":[]}',
  );
});
