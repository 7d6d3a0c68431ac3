/** Definitions as the newest release checks them, beyond what one object shows. */
import '../support/newest-release.ts';
import { rootCertificates } from 'node:tls';
import t from 'tap';
import { bundleErrors } from '../../src/resources/apiextensions/conversion-bundle.ts';
import {
  definitionWarnings,
  newDefinitionWarnings,
} from '../../src/resources/apiextensions/definition-warnings.ts';
import { formatCheck } from '../../src/schema/string-formats.ts';
import { structuralErrors } from '../../src/resources/apiextensions/structural-schema.ts';
import { StructuralSchema } from '../../src/schema/structural-schema.ts';
import { compileValueValidator } from '../../src/schema/validate.ts';

const DEFAULT = 'integer (default format)';
const INT32 = 'integer with format int32';

function definition(properties: Record<string, object>) {
  return {
    metadata: {},
    spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: { properties } } }] },
  };
}

t.test('writers of a definition are warned of what nothing checks', (t) => {
  const set = {
    type: 'array',
    'x-kubernetes-list-type': 'set',
    items: { type: 'object', properties: { x: { type: 'boolean', format: 'bar' } } },
  };
  const foo = { type: 'string', format: 'foo' };
  const known = { type: 'string', format: 'k8s-short-name' };
  const small = { type: 'integer', format: 'int16' };
  const one = definition({ a: foo, again: foo, known, small, date: { format: 'date-time' } });
  const other = definition({ a: foo, set });
  const ofSets =
    'x-kubernetes-list-type: set for items of type "object" is not supported by server-side ' +
    'apply or CEL validation rules';
  t.same(definitionWarnings(one), ['unrecognized format "foo"', 'unrecognized format "int16"']);
  t.same(newDefinitionWarnings(other, one), ['unrecognized format "bar"', ofSets]);
  t.same(newDefinitionWarnings(one, one), []);
  t.end();
});

t.test('an established definition gets no bundle without a certificate', async (t) => {
  const made = (caBundle: string, status = 'True') => ({
    metadata: {},
    spec: { conversion: { strategy: 'Webhook', webhook: { clientConfig: { caBundle } } } },
    status: { conditions: [{ type: 'Established', status }] },
  });
  const bundle = (text: string): string => Buffer.from(text).toString('base64');
  const block = (type: string): string =>
    bundle(`-----BEGIN ${type}-----\nMA==\n-----END ${type}-----\n`);
  const told = (text: string, before = made('')): string[] =>
    bundleErrors(made(text), before).map(({ message }) => message.replace(`"${text}"`, '…'));
  const start = 'Invalid value: …: unable to load root certificates: ';
  t.same(told(bundle('hello')), [`${start}unable to parse bytes as PEM block`]);
  t.same(told(block('CERTIFICATE')), [
    `${start}failed to parse certificate: x509: malformed certificate`,
  ]);
  t.same(told(block('FOO')), [`${start}no valid certificate authority data seen`]);
  t.same(told(bundle(rootCertificates[0] as string)), []);
  t.same(told(bundle('hello'), made('', 'False')), []);
  t.same(told(bundle('hello'), made(block('FOO'))), []);
  t.same(bundleErrors(made(bundle('hello')), undefined), []);
  t.end();
});

t.test('formats of names', (t) => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['k8s-short-name', 'a-1', true],
    ['k8s-short-name', 'a.b', false],
    ['k8s-short-name', 'A', false],
    ['k8s-long-name', `a.${'b'.repeat(70)}`, true],
    ['k8s-long-name', 'a..b', false],
  ];
  for (const [format, text, expected] of rows) t.equal(formatCheck(format)?.(text), expected, text);
  t.end();
});

t.test('errors of items tell which item it is', (t) => {
  const items = { type: 'object', properties: { port: { type: 'integer' } }, required: ['name'] };
  const schema = { type: 'object', properties: { list: { type: 'array', items } } };
  const validate = compileValueValidator(new StructuralSchema(schema));
  const told = (list: unknown): string[] => validate({ list }, '').map(({ field }) => field);
  t.same(told([{ name: 'a' }, { port: 'x' }, 1]), ['list[1].port', 'list[1].name', 'list[2]']);
  t.end();
});

t.test('numbers are those of their type and format', (t) => {
  const inRange = (what: string, ofType: string): string =>
    `<nil>: Invalid value: "": ${what} value must be of type ${ofType} in a`;
  const rows: readonly (readonly [object, unknown, readonly string[]])[] = [
    [{ type: 'integer' }, 1.5, ['type integer: "number"', inRange('Checked', DEFAULT)]],
    [{ type: 'integer', format: 'int32' }, 2 ** 31 - 1, []],
    [{ type: 'integer', format: 'int32' }, 2 ** 31, [inRange('Checked', INT32)]],
    [{ type: 'integer', format: 'int64' }, 2 ** 31, []],
    [{ type: 'integer', format: 'int32' }, true, ['type int32: ""']],
    [{ type: 'integer', maximum: 2.5 }, 2, [inRange('Maximum boundary', DEFAULT)]],
    [{ type: 'number', format: 'float' }, 1e39, [inRange('Checked', 'number with format float')]],
    [{ type: 'number', format: 'double' }, 1e39, []],
    [{ type: 'integer', format: 'email' }, 1, []],
    [{ 'x-kubernetes-int-or-string': true, format: 'int32' }, 2 ** 31, []],
  ];
  for (const [property, a, expected] of rows) {
    const schema = { type: 'object', properties: { a: property } };
    const validate = compileValueValidator(new StructuralSchema(schema));
    const told = validate({ a }, '').map(({ field, message }) => `${field}: ${message}`);
    t.equal(told.length, expected.length, JSON.stringify([property, a, told]));
    for (const [at, text] of expected.entries()) t.ok(told[at]?.endsWith(text), told[at] ?? '');
  }
  t.end();
});

t.test('restrictions may deny other members, and remarks restrict metadata', (t) => {
  const told = (a: object, metadata: object = {}): readonly string[] => {
    const properties = { a: { type: 'object', ...a }, metadata: { type: 'object', ...metadata } };
    return structuralErrors({ type: 'object', properties }, 's').map(({ field }) => field);
  };
  t.same(told({ not: { additionalProperties: false } }), []);
  t.same(told({ not: { additionalProperties: true } }), [
    's.properties[a].not.additionalProperties',
  ]);
  for (const remark of [{ example: 1 }, { externalDocs: { url: 'a' } }]) {
    t.same(told({}, remark), ['s.properties[metadata]']);
    t.same(told(remark), []);
  }
  t.same(told({}, { properties: { name: { type: 'string', pattern: '^a' } } }), []);
  t.end();
});
