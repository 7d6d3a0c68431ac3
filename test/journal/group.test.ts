import t from 'tap';
import { JournalKeys } from '../../src/journal/keys.ts';
import {
  changedKeys,
  encodeGroup,
  groupEntries,
  groupHeader,
  objectEntry,
} from '../../src/journal/group.ts';
import { encodeRecord, OPERATION } from '../../src/storage/record.ts';
import type { Operation } from '../../src/storage/record.ts';

function record(key: string, operation: Operation, text: string): Buffer {
  const header = { operation, timeMs: 1, previousRv: 0, key, labels: undefined, fields: [] };
  return encodeRecord(header, text);
}

t.test('a group gives back what was written, in its order', async (t) => {
  const entries = [
    { rv: 11, value: record('ns/a', OPERATION.added, '"a":1}') },
    { rv: 12, value: record('ns/b', OPERATION.added, '"b":1}') },
    { rv: 14, value: record('ns/a', OPERATION.modified, '"a":2}') },
    { rv: 15, value: record('ns/c', OPERATION.deleted, '"c":1}') },
  ];
  const { value, puts, deletes } = encodeGroup(entries, 20);
  t.same([...puts.keys()], ['ns/a', 'ns/b'], 'the newest of each object is under its key');
  t.same(deletes, ['ns/c']);
  t.same(objectEntry(puts.get('ns/a') ?? Buffer.of()).rv, 14);
  const header = groupHeader(value);
  t.equal(header.safeRv, 20);
  t.same([...changedKeys(value, header)].sort(), ['ns/a', 'ns/b', 'ns/c']);
  const read = groupEntries(value, header, puts);
  t.same(
    read.map(({ rv, value: its }) => [rv, Buffer.from(its).toString('latin1')]),
    entries.map(({ rv, value: its }) => [rv, its.toString('latin1')]),
  );
});

t.test(
  'an object that was created and deleted in one group leaves nothing but its group',
  async (t) => {
    const entries = [
      { rv: 1, value: record('a', OPERATION.added, '"a":1}') },
      { rv: 2, value: record('a', OPERATION.deleted, '"a":1}') },
    ];
    const { value, puts, deletes } = encodeGroup(entries, 2);
    t.same([puts.size, deletes], [0, ['a']]);
    const header = groupHeader(value);
    t.same(groupEntries(value, header, puts).length, 2);
    t.same([...changedKeys(value, header)], [], 'and etcd tells of no change of it');
  },
);

t.test('what a person reads in etcd begins with type, namespace and name', async (t) => {
  const keys = new JournalKeys('/cluster');
  t.equal(keys.object('configmaps', 'ns/a').toString(), '/cluster/objects/configmaps/ns/a');
  t.equal(keys.object('nodes', 'a').toString(), '/cluster/objects/nodes/a');
  const { key, rangeEnd } = keys.objects('pods');
  t.equal(Buffer.from(key).toString(), '/cluster/objects/pods/');
  t.equal(Buffer.from(rangeEnd ?? []).toString(), '/cluster/objects/pods0');
});
