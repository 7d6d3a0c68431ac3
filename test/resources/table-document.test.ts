import t from 'tap';
import type { ApiObject } from '../../src/resources/kind.ts';
import type { Printer } from '../../src/resources/printer.ts';
import { DEFAULT_PRINTER } from '../../src/resources/printer-cells.ts';
import {
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
  return rowStart(printer, object, nowMs) + held + ROW_TAIL;
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

t.test('the printer is told of the object and the time', async (t) => {
  const printer: Printer = {
    columns: [],

    cells: ({ metadata }, nowMs) => [metadata.name, nowMs],
  };
  t.equal(rowText(printer, OBJECT, 5, 'null'), '{"cells":["a\\u003cb",5],"object":null}');
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
