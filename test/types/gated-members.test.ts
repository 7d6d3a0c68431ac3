// Members whose feature is off: dropped, unless the stored object has them in the same place.
import t from 'tap';
import { loadSchemaModel } from '../../src/codec/model/proto-schema.ts';
import type { FeatureGates } from '../../src/release/feature-gates.ts';
import { compileGated } from '../../src/types/built-in/gated-members.ts';

const MODEL = loadSchemaModel({
  'x/v1.proto': `syntax = "proto2"; package x.v1;
message Kind {
  optional Spec spec = 1;
  optional string plain = 2;
}
message Spec {
  repeated Item items = 1;
  map<string, Item> named = 2;
  optional Item one = 3 [(inline) = true];
  optional Spec again = 4;
}
message Item {
  optional string os = 1 [(gate) = "IdentifyPodOS"];
  optional bool suspend = 2 [(gate) = "SuspendJob"];
  optional string name = 3;
}`,
});

const ALL: FeatureGates = new Set(['IdentifyPodOS', 'SuspendJob']);
const object = () => ({
  plain: 'a',
  spec: {
    items: [{ os: 'x', name: 'a', suspend: false }, { name: 'b' }, { os: 'y' }],
    named: { k: { os: 'z', suspend: true } },
    os: 'inline',
  },
});

t.test('there is nothing to do where all of them are on', async (t) => {
  t.equal(compileGated(MODEL, 'x.v1.Kind', ALL), undefined);
  t.equal(compileGated(MODEL, 'x.v1.Kind', new Set([...ALL, 'IndexedJob'] as const)), undefined);
});

t.test('a create loses those that are off, in lists, maps and what stands inline', async (t) => {
  const drop = compileGated(MODEL, 'x.v1.Kind', new Set(['SuspendJob'] as const));
  const created = object();
  drop?.(created);
  t.same(created, {
    plain: 'a',
    spec: {
      items: [{ name: 'a', suspend: false }, { name: 'b' }, {}],
      named: { k: { suspend: true } },
    },
  });
});

t.test('what the stored object has in one place stays there, and only there', async (t) => {
  const drop = compileGated(MODEL, 'x.v1.Kind', new Set());
  const updated = object();
  drop?.(updated, { spec: { items: [{}, { os: 'old' }] } });
  t.same(updated.spec, {
    items: [{ os: 'x', name: 'a' }, { name: 'b' }, { os: 'y' }],
    named: { k: {} },
  });
  t.doesNotThrow(() => drop?.({ spec: null }, {}));
});
