import type { Change, KindCases } from '../../support/kind-cases.ts';
import { CONFIG_KEY_HINT } from '../../support/name-hints.ts';

const MIB = 1_048_576;
const SEALED = 'Forbidden: field is immutable when `immutable` is set';
const REDACTED = 'Invalid value: "<secret contents redacted>"';
const ACCOUNT = 'cluster.io/service-account.name';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const typed = (type: string, stringData: Change = {}): Change => ({
  type: `cluster.io/${type}`,
  stringData,
});

export const CASES: KindCases = {
  apiVersion: 'v1',
  kind: 'Secret',
  minimal: {},
  minimalStored: { type: 'Opaque' },
  full: {
    immutable: true,
    data: { 'a.b-c_D9': 'AP//', both: 'AA==' },
    stringData: { both: 'né', only: 'text' },
    type: 'example.com/own',
  },
  // stringData: "merged into data, overwriting existing values. Never returned".
  fullStored: {
    immutable: true,
    data: { 'a.b-c_D9': 'AP//', both: base64('né'), only: base64('text') },
    type: 'example.com/own',
  },
  invalid: [
    [
      'Secret: data: "Keys consist of alphanumerics, -, _, ."',
      { data: { 'a b': '' } },
      [`data[a b]: Invalid value: "a b": ${CONFIG_KEY_HINT}`],
    ],
    [
      'Secret: stringData follows the key rule of the data it becomes',
      { stringData: { 'a/b': '' } },
      [`data[a/b]: Invalid value: "a/b": ${CONFIG_KEY_HINT}`],
    ],
    [
      'Secret: "must be below MaxSecretSize": exactly 1 MiB is accepted',
      { data: { a: base64('x'.repeat(MIB - 1)) }, stringData: { b: 'x' } },
      [],
    ],
    [
      'Secret: "must be below MaxSecretSize"',
      { data: { a: base64('x'.repeat(MIB)) }, stringData: { b: 'x' } },
      ['data: Too long: must have at most 1048576 bytes'],
    ],
    ['Secret: any type', { type: 'anything at all' }, []],
    ['13.4: bootstrap tokens are not looked into', { type: 'bootstrap.cluster.io/token' }, []],
    [
      '14.2: service-account-token needs its annotation',
      typed('service-account-token'),
      [`metadata.annotations[${ACCOUNT}]: Required value`],
    ],
    [
      '14.2: service-account-token with its annotation',
      { ...typed('service-account-token'), metadata: { annotations: { [ACCOUNT]: 'builder' } } },
      [],
    ],
    ['14.2: dockercfg needs its key', typed('dockercfg'), ['data[.dockercfg]: Required value']],
    [
      '14.2: dockercfg is valid JSON',
      typed('dockercfg', { '.dockercfg': '{x' }),
      [`data[.dockercfg]: ${REDACTED}: must be well-formed JSON`],
    ],
    ['14.2: dockercfg', typed('dockercfg', { '.dockercfg': '{}' }), []],
    [
      '14.2: dockerconfigjson needs its key',
      typed('dockerconfigjson', { '.dockercfg': '{}' }),
      ['data[.dockerconfigjson]: Required value'],
    ],
    [
      '14.2: dockerconfigjson is an object',
      typed('dockerconfigjson', { '.dockerconfigjson': '[]' }),
      [`data[.dockerconfigjson]: ${REDACTED}: must be a JSON object`],
    ],
    [
      '14.2: dockerconfigjson is not empty',
      typed('dockerconfigjson', { '.dockerconfigjson': '' }),
      [`data[.dockerconfigjson]: ${REDACTED}: unexpected end of JSON input`],
    ],
    [
      '14.2: dockerconfigjson',
      typed('dockerconfigjson', { '.dockerconfigjson': '{"auths":{}}' }),
      [],
    ],
    [
      '14.2: basic-auth needs a username or a password',
      typed('basic-auth', { user: 'x' }),
      ['data[username]: Required value', 'data[password]: Required value'],
    ],
    ['14.2: basic-auth with a username', typed('basic-auth', { username: '' }), []],
    ['14.2: basic-auth with a password', typed('basic-auth', { password: 'x' }), []],
    [
      '14.2: ssh-auth needs its key, not empty',
      typed('ssh-auth', { 'ssh-privatekey': '' }),
      ['data[ssh-privatekey]: Required value'],
    ],
    ['14.2: ssh-auth', typed('ssh-auth', { 'ssh-privatekey': 'x' }), []],
    [
      '14.2: tls needs a certificate and a key',
      typed('tls'),
      ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
    ],
    ['14.2: tls, though empty', typed('tls', { 'tls.crt': '', 'tls.key': '' }), []],
  ],
  updates: [
    ['Secret: data may change', { data: { a: 'AA==' } }, { data: { a: '' } }, []],
    [
      'Secret: stringData overwrites on update too',
      { immutable: true, data: { a: base64('1') } },
      { stringData: { a: '2' } },
      [`data: ${SEALED}`],
    ],
    [
      'Secret: immutable "As for ConfigMap": it may be set',
      {},
      { immutable: true, data: { a: 'AA==' } },
      [],
    ],
    [
      'Secret: immutable "As for ConfigMap": metadata may change',
      { immutable: true },
      { metadata: { annotations: { a: 'b' } } },
      [],
    ],
    [
      'reference: empty data is other data than none',
      { immutable: true },
      { data: {} },
      [`data: ${SEALED}`],
    ],
    [
      'Secret: immutable "As for ConfigMap": it stays',
      { immutable: true },
      { immutable: false },
      [`immutable: ${SEALED}`],
    ],
    [
      '14.2: type is immutable',
      {},
      { type: 'example.com/own' },
      ['type: Invalid value: "example.com/own": field is immutable'],
    ],
    [
      '13.3: a write without a type is one of Opaque',
      { type: 'example.com/own' },
      { type: undefined },
      ['type: Invalid value: "Opaque": field is immutable'],
    ],
  ],
};
