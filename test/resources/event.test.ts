// An event in its three versions.
import t from 'tap';
import { compileJsonCodec } from '../../src/codec/json/json-codec.ts';
import { EVENT } from '../../src/resources/core/event.ts';
import type { ApiObject } from '../../src/resources/kind.ts';
import { MODEL } from './kind-rules.ts';

const TIME = '2024-05-01T10:11:12Z';
const MICRO_TIME = '2024-05-01T10:11:12.123456Z';
const SAME = {
  metadata: { name: 'a', namespace: 'ns' },
  reason: 'r',
  type: 'Normal',
  eventTime: MICRO_TIME,
  series: { count: 2, lastObservedTime: MICRO_TIME },
  action: 'a',
  related: { name: 'n' },
  reportingInstance: 'i',
};
const STORED = {
  ...SAME,
  involvedObject: { kind: 'Pod', name: 'p' },
  message: 'm',
  source: { component: 'c' },
  firstTimestamp: TIME,
  lastTimestamp: TIME,
  count: 3,
  reportingComponent: 'example.com/c',
};
const HERE = {
  ...SAME,
  regarding: { kind: 'Pod', name: 'p' },
  note: 'm',
  deprecatedSource: { component: 'c' },
  deprecatedFirstTimestamp: TIME,
  deprecatedLastTimestamp: TIME,
  deprecatedCount: 3,
  reportingController: 'example.com/c',
};

t.test('14.2: the mapping of members, both ways', async (t) => {
  const members = (message: string): string[] =>
    Object.keys(compileJsonCodec(MODEL, message).decode('{}').object);
  for (const view of EVENT.otherVersions ?? []) {
    t.same(view.toStored?.(structuredClone(HERE)), STORED, view.version);
    t.same(view.fromStored?.(structuredClone(STORED)), HERE, view.version);
    const empty = Object.fromEntries(members('core.v1.Event').map((name) => [name, {}]));
    const there = view.fromStored?.({ metadata: {}, ...empty }) ?? {};
    t.same(Object.keys(there).sort(), members('events.v1.Event').sort(), 'embedded messages');
  }
});

t.test('7.6: selectable fields', async (t) => {
  const value = (field: string, change: object = {}): string | undefined =>
    EVENT.selectableFields?.[field]?.({ ...STORED, ...change } as ApiObject);
  t.equal(value('involvedObject.kind'), 'Pod');
  t.equal(value('involvedObject.uid'), '', 'absent is empty');
  t.equal(value('reason'), 'r');
  t.equal(value('reportingComponent'), 'example.com/c');
  t.equal(value('source'), 'c');
  t.equal(value('source', { source: {} }), 'example.com/c', 'else the controller is the source');
  t.equal(value('type'), 'Normal');
});

t.test('7.6: the events group names other fields, each of them a stored one', async (t) => {
  const stored = Object.keys(EVENT.selectableFields ?? {});
  for (const { fieldNames = {} } of EVENT.otherVersions ?? []) {
    for (const name of Object.values(fieldNames)) t.ok(stored.includes(name), name);
  }
});
