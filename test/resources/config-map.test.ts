// SPEC "ConfigMap" and API-FACTS 14.1, 14.2.
import t from 'tap';
import { CONFIG_MAP } from '../../src/resources/core/config-map.ts';
import { KindRules } from './kind-rules.ts';

const rules = new KindRules(CONFIG_MAP, { data: { a: '1' }, binaryData: { b: 'AA==' } });

const MIB = 1_048_576;
const SEALED = 'Forbidden: field is immutable when `immutable` is set';
const KEY_HINT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. " +
  "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

t.test('rules of a ConfigMap', async (t) => {
  rules.checkCreates(t, [
    ['all members are optional', { data: undefined, binaryData: undefined }, []],
    [
      'SPEC: keys consist of alphanumerics, "-", "_", "."',
      { data: { 'a b': '' }, binaryData: { 'c/d': '' } },
      [
        `data[a b]: Invalid value: "a b": ${KEY_HINT}`,
        `binaryData[c/d]: Invalid value: "c/d": ${KEY_HINT}`,
      ],
    ],
    [
      'SPEC: binaryData keys must not overlap with data keys',
      { binaryData: { a: '' } },
      ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
    ],
    [
      '14.1: exactly 1 MiB of values is accepted',
      { data: { a: 'é'.repeat(MIB / 2 - 2), c: 'xxx' } },
      [],
    ],
    [
      '14.1: decoded bytes of both maps count',
      { data: { a: 'x'.repeat(MIB) } },
      ['[]: Too long: must have at most 1048576 bytes'],
    ],
  ]);
});

t.test('updates of a ConfigMap', async (t) => {
  rules.checkUpdates(t, [
    ['data may change', {}, { data: { a: '2' } }, []],
    ['SPEC: immutable may be set at any time', {}, { immutable: true }, []],
    ['SPEC: immutable false binds nothing', { immutable: false }, { data: { a: '2' } }, []],
    [
      'SPEC: when immutable only metadata may change',
      { immutable: true },
      { metadata: { labels: { a: 'b' } } },
      [],
    ],
    [
      'SPEC: when immutable data and binaryData cannot be updated',
      { immutable: true },
      { data: { a: '2' }, binaryData: undefined },
      [`data: ${SEALED}`, `binaryData: ${SEALED}`],
    ],
    [
      '14.2: immutable cannot be unset',
      { immutable: true },
      { immutable: undefined },
      [`immutable: ${SEALED}`],
    ],
  ]);
});
