import type { KindCases } from '../../support/kind-cases.ts';
import { CONFIG_KEY_HINT, SUBDOMAIN_HINT } from '../../support/name-hints.ts';

const MIB = 1_048_576;
const SEALED = 'Forbidden: field is immutable when `immutable` is set';

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  minimal: {},
  minimalStored: {},
  full: {
    immutable: true,
    data: { 'a.b-c_D9': 'text\n', '.hidden': '', UPPER: 'é' },
    binaryData: { bytes: 'AP//', empty: '' },
  },
  invalid: [
    [
      'generation of a kind that counts none is kept, and not negative',
      { metadata: { generation: -1 } },
      ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      '3.7: the name is a DNS subdomain',
      { metadata: { name: 'Config' } },
      [`metadata.name: Invalid value: "Config": ${SUBDOMAIN_HINT}`],
    ],
    [
      'ConfigMap: data: "Keys consist of alphanumerics, -, _, ."',
      { data: { 'a b': '' } },
      [`data[a b]: Invalid value: "a b": ${CONFIG_KEY_HINT}`],
    ],
    [
      'ConfigMap: binaryData: "Same key rule"',
      { binaryData: { 'c/d': '' } },
      [`binaryData[c/d]: Invalid value: "c/d": ${CONFIG_KEY_HINT}`],
    ],
    [
      '3.7: a key is not empty',
      { data: { '': '' } },
      [`data[]: Invalid value: "": ${CONFIG_KEY_HINT}`],
    ],
    [
      '3.7: a key has at most 253 characters',
      { data: { [`${'k'.repeat(254)}`]: '' } },
      [
        `data[${'k'.repeat(254)}]: Invalid value: "${'k'.repeat(254)}": ` +
          'must be no more than 253 characters',
      ],
    ],
    [
      '3.7: a key is not "."',
      { data: { '.': '' } },
      ['data[.]: Invalid value: ".": must not be \'.\''],
    ],
    [
      '3.7: a key is not ".."',
      { data: { '..': '' } },
      ['data[..]: Invalid value: "..": must not be \'..\''],
    ],
    [
      '3.7: a key does not start with ".."',
      { data: { '..a': '' } },
      ['data[..a]: Invalid value: "..a": must not start with \'..\''],
    ],
    [
      'ConfigMap: binaryData: "Keys must not overlap with data keys"',
      { data: { a: '', b: '' }, binaryData: { b: '', c: '' } },
      ['data[b]: Invalid value: "b": duplicate of key present in binaryData'],
    ],
    [
      '14.1: exactly 1 MiB of values is accepted, keys do not count',
      { data: { a: 'é'.repeat(MIB / 2 - 2) }, binaryData: { b: 'AAAAAA==' } },
      [],
    ],
    [
      '14.1: the decoded bytes of both maps count',
      { data: { a: 'é'.repeat(MIB / 2 - 2) }, binaryData: { b: 'AAAAAAA=' } },
      ['[]: Too long: must have at most 1048576 bytes'],
    ],
  ],
  updates: [
    ['ConfigMap: data may change', { data: { a: '1' } }, { data: { a: '2' } }, []],
    [
      'ConfigMap: immutable is "modifiable at any time when not true"',
      { immutable: false },
      { immutable: true, data: { a: '1' } },
      [],
    ],
    [
      'reference: empty binaryData is other data than none, and empty data is not',
      { immutable: true },
      { data: {}, binaryData: {} },
      [`binaryData: ${SEALED}`],
    ],
    [
      'ConfigMap: immutable: "only metadata"',
      { immutable: true, data: { a: '1' } },
      { metadata: { labels: { a: 'b' } } },
      [],
    ],
    [
      'ConfigMap: immutable: "data … cannot be updated"',
      { immutable: true, data: { a: '1' } },
      { data: { b: '2' } },
      [`data: ${SEALED}`],
    ],
    [
      'ConfigMap: immutable: "binaryData cannot be updated"',
      { immutable: true },
      { binaryData: { a: 'AA==' } },
      [`binaryData: ${SEALED}`],
    ],
    [
      '14.2: immutable cannot be unset',
      { immutable: true },
      { immutable: undefined },
      [`immutable: ${SEALED}`],
    ],
    ['3.4: an update needs no version', {}, { metadata: { resourceVersion: '0' } }, []],
  ],
};
