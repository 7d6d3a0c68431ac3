import fc from 'fast-check';
import t from 'tap';
import {
  AWAITS,
  decodeRecordHeader,
  encodeRecord,
  managedFieldsLength,
  OPERATION,
  recordDomain,
  recordWrittenAs,
  wireBytes,
} from '../../src/storage/record.ts';
import type { RecordHeader } from '../../src/storage/record.ts';

const HEADER: RecordHeader = {
  operation: OPERATION.added,
  timeMs: 1_700_000_000_123,
  previousRv: 0,
  key: 'ns/name',
  labels: { app: 'web', tier: 'back' },
  fields: ['Opaque'],
};

/** Labels without their prototype, so that the two sides of a comparison have the same one. */
function plain(header: RecordHeader): object {
  const labels = header.labels === undefined ? undefined : Object.entries(header.labels);
  const { owners, awaits = AWAITS.nothing, managedFieldsLength: length = 0 } = header;
  const { domain = 'cluster.io', writtenAs } = header;
  const ownLabels = labels?.length === 0 ? undefined : labels;
  const rest = { owners, awaits, managedFieldsLength: length, domain, writtenAs };
  return { ...header, labels: ownLabels, ...rest };
}

function roundTrip(header: RecordHeader, wire: string): void {
  const record = encodeRecord(header, wire);
  const decoded = decodeRecordHeader(record);
  t.strictSame(plain(decoded), plain(header));
  t.equal(managedFieldsLength(record), header.managedFieldsLength ?? 0);
  t.equal(recordDomain(record), header.domain ?? 'cluster.io');
  t.equal(recordWrittenAs(record), header.writtenAs);
  t.equal(Buffer.from(wireBytes(record)).toString(), wire);
}

t.test('header and wire text come back', async () => {
  roundTrip(HEADER, '"metadata":{}}');
  roundTrip({ ...HEADER, labels: undefined, fields: [] }, '');
  roundTrip({ ...HEADER, operation: OPERATION.deleted, previousRv: 2 ** 53 - 1 }, '}');
});

t.test('an object without labels has none', async (t) => {
  t.equal(decodeRecordHeader(encodeRecord({ ...HEADER, labels: {} }, '')).labels, undefined);
});

t.test('odd keys of labels are keys like any other', async (t) => {
  const labels = Object.fromEntries([
    ['__proto__', 'polluted'],
    ['constructor', 'a'],
    ['toString', ''],
    ['', 'empty'],
    ['10', 'ten'],
  ]);
  const own = Object.assign(Object.create(null) as Record<string, string>, labels);
  Object.defineProperty(own, '__proto__', { value: 'polluted', enumerable: true });
  const decoded = decodeRecordHeader(encodeRecord({ ...HEADER, labels: own }, '')).labels;
  t.equal(decoded?.['__proto__'], 'polluted');
  t.equal(Object.hasOwn(decoded ?? {}, '__proto__'), true);
  t.equal(decoded?.['toString'], '');
  t.equal(decoded?.['hasOwnProperty'], undefined, 'no prototype');
  t.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

t.test('text is UTF-8, and lengths are of bytes', async () => {
  const labels = { ключ: 'значение', '😀': '日本語' };
  roundTrip({ ...HEADER, key: 'ns/ü', labels, fields: ['é', ''] }, '"metadata":{"a":"😀é"}}');
});

t.test('a text of more than 64 KiB fits', async () => {
  roundTrip({ ...HEADER, fields: ['x'.repeat(70_000), 'é'.repeat(40_000)] }, '}');
  roundTrip(HEADER, 'w'.repeat(3 * 1024 * 1024));
});

t.test('a record is found inside a larger buffer', async (t) => {
  const record = encodeRecord(HEADER, 'wire');
  const larger = new Uint8Array(record.length + 20);
  larger.set(record, 7);
  const view = larger.subarray(7, 7 + record.length);
  t.strictSame(plain(decodeRecordHeader(view)), plain(HEADER));
  t.equal(Buffer.from(wireBytes(view)).toString(), 'wire');
});

t.test('owners and what the object awaits come back', async (t) => {
  const owners = [
    { uid: 'a-b', blocks: true },
    { uid: '', blocks: false },
    { uid: 'é', blocks: false },
  ];
  roundTrip({ ...HEADER, owners }, '"metadata":{}}');
  roundTrip({ ...HEADER, owners: [], fields: [] }, '');
  for (const awaits of [AWAITS.orphaning, AWAITS.dependents, 3]) {
    roundTrip({ ...HEADER, awaits }, '}');
    roundTrip({ ...HEADER, awaits, owners, operation: OPERATION.deleted }, '}');
  }
  const without = encodeRecord(HEADER, '');
  const zero = { ...HEADER, owners: undefined, awaits: 0, managedFieldsLength: 0 };
  t.equal(encodeRecord(zero, '').equals(without), true);
});

t.test('what a custom object was written as comes back, and costs others nothing', async (t) => {
  const owners = [{ uid: 'a-b', blocks: true }];
  roundTrip({ ...HEADER, writtenAs: 'v1beta1 17' }, '"metadata":{}}');
  roundTrip({ ...HEADER, writtenAs: '', domain: 'k8s.io' }, '}');
  roundTrip({ ...HEADER, writtenAs: 'é', owners, managedFieldsLength: 5, labels: undefined }, '}');
  const without = encodeRecord(HEADER, '');
  t.equal(encodeRecord({ ...HEADER, writtenAs: undefined }, '').equals(without), true);
});

t.test('a record from before there were owners is read as one without', async (t) => {
  // Byte by byte, as the first format was: operation 2, no flags, key `ns/a`, a label, a field.
  const text = (value: string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(value.length);
    return Buffer.concat([length, Buffer.from(value)]);
  };
  const fixed = Buffer.alloc(24);
  const one = Buffer.from([1, 0, 0, 0]);
  const rest = [text('ns/a'), one, text('app'), text('web'), one, text('Opaque')];
  const header = Buffer.concat([fixed, ...rest]);
  header.writeUInt32LE(2, 0);
  header.writeUInt32LE(header.length, 4);
  header.writeDoubleLE(1_700_000_000_123, 8);
  header.writeDoubleLE(41, 16);
  const decoded = decodeRecordHeader(Buffer.concat([header, Buffer.from('wire')]));
  t.match(decoded, { operation: OPERATION.modified, previousRv: 41, key: 'ns/a' });
  t.equal(decoded.owners, undefined);
  t.equal(decoded.domain, 'cluster.io', 'in the dialect that all were written in');
  t.equal(decoded.awaits, AWAITS.nothing);
});

t.test('any header comes back', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 80 });
  const owner = fc.record({ uid: text, blocks: fc.boolean() }, { noNullPrototype: true });
  const header = fc.record<RecordHeader>({
    operation: fc.constantFrom(...Object.values(OPERATION)),
    timeMs: fc.integer({ min: 0, max: 8.64e15 }),
    previousRv: fc.maxSafeNat(),
    key: text,
    labels: fc.option(fc.dictionary(text, text, { maxKeys: 8, noNullPrototype: false }), {
      nil: undefined,
    }),
    fields: fc.array(text, { maxLength: 4 }),
    owners: fc.option(fc.array(owner, { maxLength: 4 }), {
      nil: undefined,
    }),
    awaits: fc.integer({ min: 0, max: 3 }),
    managedFieldsLength: fc.nat(),
    domain: fc.constantFrom('cluster.io', 'k8s.io'),
    writtenAs: fc.option(text, { nil: undefined }),
  });
  fc.assert(fc.property(header, text, roundTrip), { numRuns: 200 });
});

t.test('damaged bytes are refused', async (t) => {
  const owners = [{ uid: 'uid', blocks: true }];
  const header = { ...HEADER, fields: ['first', 'last field'], owners, writtenAs: 'v1' };
  const record = encodeRecord(header, '');
  for (let length = 0; length < record.length; length++) {
    t.throws(() => decodeRecordHeader(record.subarray(0, length)), `cut to ${length} bytes`);
  }
  for (const operation of [0, 4, 0xffffffff]) {
    const damaged = Buffer.from(record);
    damaged.writeUInt32LE(operation, 0);
    t.throws(() => decodeRecordHeader(damaged), { name: 'AssertionError' });
  }
  for (const flags of [64, 0xff]) {
    const damaged = Buffer.from(record);
    damaged.writeUInt8(flags, 1);
    t.throws(() => decodeRecordHeader(damaged), { name: 'AssertionError' }, `flags ${flags}`);
  }
  const manyOwners = Buffer.from(record);
  manyOwners.writeUInt32LE(0xffffffff, record.length - 12);
  t.throws(() => decodeRecordHeader(manyOwners), 'more owners than the record holds');
  const keyAt = 24 + 4 + header.writtenAs.length;
  for (const at of [24, keyAt]) {
    const longText = Buffer.from(record);
    longText.writeUInt32LE(0xffff, at);
    t.throws(() => decodeRecordHeader(longText), 'a text longer than the record');
  }
  const wrongLength = Buffer.from(record);
  wrongLength.writeUInt32LE(record.length - 1, 4);
  t.throws(() => decodeRecordHeader(wrongLength), 'a header length that does not fit');
});

t.end();
