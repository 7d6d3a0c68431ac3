/** Every kind in a Table: its columns, and cells that fit them whatever its objects are like. */
import t from 'tap';
import type { Test } from 'tap';
import { RANDOMNESS } from '../../src/base/randomness.ts';
import { COMPONENT_STATUS_PRINTER } from '../../src/resources/core/nodes/component-status-printer.ts';
import { compileMemberReader } from '../../src/codec/json/member-reader.ts';
import { builtInType } from '../../src/types/built-in/built-in-type.ts';
import type { ResourceType } from '../../src/types/resource-type.ts';
import type { ApiObject, BuiltInKind } from '../../src/resources/kind.ts';
import { prepareCreate, proposeCreate } from '../../src/types/prepare-object.ts';
import { DEFAULT_PRINTER } from '../../src/resources/printer-cells.ts';
import type { Column } from '../../src/resources/printer.ts';
import { KINDS, resourceKey } from '../../src/resources/registry.ts';
import { agelessRow } from '../../src/resources/table-document.ts';
import { isRawNumber } from '../../src/semantics/patch/document.ts';
import { compileValidators } from '../../src/semantics/validation/validator-compiler.ts';
import { catalogueDocument, catalogueFiles } from '../support/catalogue.ts';
import { columnsText, DEFAULT_COLUMNS, PRINTER_COLUMNS } from '../support/printer-columns.ts';
import { cellsAt } from '../support/printed-cells.ts';
import { documentText, randomObject } from '../support/random-object.ts';
import { Random } from '../support/random.ts';
import { MODEL } from './kind-rules.ts';

const NEW = {
  user: { name: 'admin', uid: 'admin', groups: ['system:masters'] },
  uid: '11111111-2222-3333-4444-555555555555',
  creationTimestamp: '2024-01-01T00:00:00Z',
  random: RANDOMNESS,
};
const SEED = 20_240_301;
const RANDOM_OBJECTS = 28;
const VALIDATORS = compileValidators(
  MODEL,
  KINDS.map(({ message }) => message),
);
const RUNTIMES = KINDS.map((kind) => [kind, builtInType(kind, MODEL, VALIDATORS)] as const);

/** The cells of a column in JSON, by its type. */
const JSON_TYPES = {
  string: ['string'],
  date: ['string'],
  boolean: ['boolean'],
  integer: ['integer'],
  number: ['integer', 'number'],
} as const satisfies Record<Column['type'], readonly string[]>;

/** Cells of another type than their column says, as in the reference. */
const OTHER_TYPES: Readonly<Record<string, readonly string[]>> = {
  'configmaps Data': ['integer'],
  'secrets Data': ['integer'],
  'serviceaccounts Secrets': ['integer'],
  'events Count': ['integer'],
  'controllerrevisions.apps Revision': ['integer'],
  'deployments.apps Up-to-date': ['integer'],
  'deployments.apps Available': ['integer'],
  'cronjobs.batch Suspend': ['string'],
  'horizontalpodautoscalers.autoscaling MaxPods': ['integer'],
  'horizontalpodautoscalers.autoscaling Replicas': ['integer'],
  'podsecuritypolicies.policy ReadOnlyRootFs': ['boolean'],
  'storageclasses.storage.cluster.io AllowVolumeExpansion': ['boolean'],
  'flowschemas.flowcontrol.apiserver.cluster.io MatchingPrecedence': ['integer'],
  ...Object.fromEntries(
    ['AssuredConcurrencyShares', 'Queues', 'HandSize', 'QueueLengthLimit'].map((name) => [
      `prioritylevelconfigurations.flowcontrol.apiserver.cluster.io ${name}`,
      ['integer', 'string'],
    ]),
  ),
};

function printerOf({ printer = DEFAULT_PRINTER }: BuiltInKind) {
  return printer;
}

function jsonType(cell: unknown): string {
  if (Number.isInteger(cell) || isRawNumber(cell)) return 'integer';
  return typeof cell;
}

/** Nothing when the cells fit the columns; else what does not. */
function misfits(kind: BuiltInKind, object: ApiObject): string[] {
  const printer = printerOf(kind);
  const { columns } = printer;
  const cells = cellsAt(printer, object);
  if (cells.length !== columns.length) return [`${cells.length} cells`];
  return columns.flatMap(({ name, type }, at) => {
    const expected = OTHER_TYPES[`${resourceKey(kind)} ${name}`] ?? JSON_TYPES[type];
    const cell = cells[at];
    return expected.some((one) => one === jsonType(cell)) ? [] : [`${name}: ${String(cell)}`];
  });
}

t.test('each kind has the columns of its resource type', async (t) => {
  for (const kind of KINDS) {
    const expected = PRINTER_COLUMNS[resourceKey(kind)] ?? DEFAULT_COLUMNS;
    t.equal(columnsText(printerOf(kind).columns), expected, kind.plural);
  }
});

t.test('there are no columns for types that are not served', async (t) => {
  const served = new Set(KINDS.map(resourceKey));
  const others = Object.keys(PRINTER_COLUMNS).filter((key) => !served.has(key));
  t.same(others, ['componentstatuses']);
  const { columns } = COMPONENT_STATUS_PRINTER;
  t.equal(columnsText(columns), PRINTER_COLUMNS['componentstatuses']);
});

t.test('each column says what it shows', async (t) => {
  for (const kind of KINDS) {
    for (const { name, description } of printerOf(kind).columns) {
      t.match(description, /^[A-Z].*[^.]\.$/, `${kind.plural}: ${name}`);
    }
  }
});

t.test('what is printed by its own rules is a column', async (t) => {
  const columns = KINDS.flatMap((kind) =>
    printerOf(kind).columns.map(({ name }) => `${resourceKey(kind)} ${name}`),
  );
  t.same(
    Object.keys(OTHER_TYPES).filter((one) => !columns.includes(one)),
    [],
  );
});

t.test('the cells of the least and the fullest object fit the columns', async (t) => {
  for (const { name, cases } of await catalogueFiles()) {
    const { apiVersion, kind: kindName, minimal, full, minimalStored, fullStored = full } = cases;
    const [definition, runtime] =
      RUNTIMES.find(([one, type]) => one.kind === kindName && type.versionNamed(apiVersion)) ?? [];
    const version = runtime?.versionNamed(apiVersion);
    if (definition === undefined || runtime === undefined || version === undefined) {
      throw new Error(`no ${kindName}`);
    }
    for (const [what, members] of Object.entries({ minimal, full, minimalStored, fullStored })) {
      const text = JSON.stringify(catalogueDocument(cases, 'a', members));
      const object = version.decode(text).object as ApiObject;
      t.same(misfits(definition, object), [], `${name}: ${what}, as it comes`);
      proposeCreate(runtime, object);
      prepareCreate(runtime, object, NEW);
      t.same(misfits(definition, object), [], `${name}: ${what}, as a new object`);
    }
  }
});

t.test(
  'so do those of random objects, made of what is selected, and conditions say all',
  async (t) => {
    for (const [kind, runtime] of RUNTIMES) checkRandomObjects(t, kind, runtime);
  },
);

function checkRandomObjects(t: Test, kind: BuiltInKind, { stored }: ResourceType): void {
  const random = new Random(SEED);
  const printer = printerOf(kind);
  const read = compileMemberReader(MODEL, kind.message, printer.members());
  for (let count = 0; count < RANDOM_OBJECTS; count += 1) {
    const options = { depth: 1 + (count % 7), bigints: true };
    const text = documentText(randomObject(MODEL, kind.message, random, options));
    const object = stored.codec.decode(text).object as ApiObject;
    // Every stored object has these members.
    for (const owner of object.metadata.ownerReferences ?? []) {
      owner.apiVersion ??= 'apps/v1';
      owner.kind ??= 'DaemonSet';
      owner.name ??= 'web';
    }
    const wrong = misfits(kind, object);
    if (wrong.length > 0) t.same(wrong, [], `${kind.plural}: ${text}`);
    const kept = read(Buffer.from(stored.codec.encode(object))) as ApiObject;
    const row = agelessRow(printer, object);
    if (agelessRow(printer, kept) !== row) {
      t.equal(agelessRow(printer, kept), row, `${kind.plural}: ${text}`);
    }
    for (const condition of printer.conditions?.(object) ?? []) {
      t.match(condition, { type: 'Completed', status: 'True', reason: /./, message: /./ });
    }
  }
  t.pass(kind.plural);
}
