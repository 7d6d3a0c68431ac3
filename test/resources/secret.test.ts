// SPEC "Secret" and API-FACTS 13.4, 14.1, 14.2.
import t from 'tap';
import { SECRET } from '../../src/resources/core/secret.ts';
import { KindRules } from './kind-rules.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const rules = new KindRules(SECRET, { type: 'Opaque', data: { a: base64('1') } });
const typed = (type: string, data: Record<string, string> = {}): Record<string, unknown> => ({
  type: type.startsWith('/') ? `cluster.io${type}` : type,
  data,
});

const MIB = 1_048_576;
const SEALED = 'Forbidden: field is immutable when `immutable` is set';
const REDACTED = 'Invalid value: "<secret contents redacted>"';

t.test('rules of a Secret', async (t) => {
  rules.checkCreates(t, [
    ['14.1: exactly 1 MiB of data is accepted', { data: { a: base64('x'.repeat(MIB)) } }, []],
    [
      'SPEC: too many bytes of data',
      { data: { a: base64('x'.repeat(MIB)), b: base64('x') } },
      ['data: Too long: must have at most 1048576 bytes'],
    ],
    ['SPEC: any type is allowed', { type: 'example.com/own', data: undefined }, []],
    [
      '14.2: a service account token names its account',
      typed('/service-account-token'),
      ['metadata.annotations[cluster.io/service-account.name]: Required value'],
    ],
    [
      '14.2: with the name it is complete',
      {
        ...typed('/service-account-token'),
        metadata: { annotations: { 'cluster.io/service-account.name': 'x' } },
      },
      [],
    ],
    ['14.2: dockercfg', typed('/dockercfg'), ['data[.dockercfg]: Required value']],
    [
      '14.2: dockercfg holds JSON',
      { type: 'cluster.io/dockercfg', data: { '.dockercfg': base64('{x') } },
      [`data[.dockercfg]: ${REDACTED}: must be well-formed JSON`],
    ],
    [
      '14.2: dockerconfigjson',
      typed('/dockerconfigjson'),
      ['data[.dockerconfigjson]: Required value'],
    ],
    [
      '14.2: dockerconfigjson holds an object',
      typed('/dockerconfigjson', { '.dockerconfigjson': base64('[]') }),
      [`data[.dockerconfigjson]: ${REDACTED}: must be a JSON object`],
    ],
    [
      '14.2: dockerconfigjson holds something',
      typed('/dockerconfigjson', { '.dockerconfigjson': '' }),
      [`data[.dockerconfigjson]: ${REDACTED}: unexpected end of JSON input`],
    ],
    ['14.2: JSON it is', typed('/dockerconfigjson', { '.dockerconfigjson': base64('{}') }), []],
    [
      '14.2: basic-auth has a user or a password',
      typed('/basic-auth'),
      ['data[username]: Required value', 'data[password]: Required value'],
    ],
    ['14.2: either is enough', typed('/basic-auth', { password: '' }), []],
    [
      '14.2: ssh-auth has a key',
      typed('/ssh-auth', { 'ssh-privatekey': '' }),
      ['data[ssh-privatekey]: Required value'],
    ],
    [
      '14.2: tls has a certificate and a key',
      typed('/tls'),
      ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
    ],
    ['14.2: they may be empty', typed('/tls', { 'tls.crt': '', 'tls.key': '' }), []],
  ]);
});

t.test('updates of a Secret', async (t) => {
  rules.checkUpdates(t, [
    [
      '14.2: type is immutable',
      {},
      { type: 'example.com/own' },
      ['type: Invalid value: "example.com/own": field is immutable'],
    ],
    [
      'SPEC: immutable as for ConfigMap',
      { immutable: true },
      { immutable: false, data: { a: '' } },
      [`immutable: ${SEALED}`, `data: ${SEALED}`],
    ],
  ]);
});

t.test('SPEC: stringData is merged into data and overwrites it', async (t) => {
  const object = rules.object({ stringData: { a: 'né', b: '' }, data: { c: 'AA==' } });
  SECRET.applyDefaults?.(object);
  t.same(object['data'], { a: base64('né'), b: '', c: 'AA==' });
  t.notOk('stringData' in object, 'it is never returned');

  const only = rules.object({ data: undefined });
  const stringData = Object.create(null) as Record<string, string>;
  stringData['__proto__'] = 'x';
  SECRET.applyDefaults?.(Object.assign(only, { stringData }));
  t.same(Object.keys(only['data'] as object), ['__proto__'], 'no key is special');
});

t.test('14.2: an empty type on update is the stored one', async (t) => {
  const object = rules.object({ type: '' });
  SECRET.prepareForUpdate?.(object, rules.object({ type: 'cluster.io/tls' }));
  t.equal(object['type'], 'cluster.io/tls');
});

t.equal(SECRET.selectableFields?.['type']?.(rules.object()), 'Opaque', '7.6: selectable by type');
