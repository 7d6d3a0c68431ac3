/**
 * Media types: what each of them makes of a write, and in what form the
 * answer is.
 */
import t from 'tap';
import {
  bodyFormat,
  errorEncoding,
  negotiate,
  patchTypeOf,
  startsAsJsonObject,
  wantsPretty,
} from '../../src/front/requests/negotiate.ts';
import type { RequestedType } from '../../src/front/requests/negotiate.ts';
import { Query } from '../../src/front/requests/query.ts';
import { StatusError } from '../../src/semantics/errors/status.ts';
import { PLAIN_JSON } from '../../src/semantics/options/answer-form.ts';
import type { Form } from '../../src/semantics/options/answer-form.ts';
import { thrownStatus } from '../support/thrown-status.ts';

t.test('the type of a patch', async (t) => {
  const rows: [string, string][] = [
    ['application/json-patch+json', 'json'],
    ['application/merge-patch+json', 'merge'],
    ['application/strategic-merge-patch+json', 'strategic'],
    ['application/apply-patch+yaml', 'apply'],
    ['application/json-patch+json;charset=utf-8', 'json'],
    ['application/merge-patch+json; charset=utf-8; x=y', 'merge'],
    [' application/apply-patch+yaml ;', 'apply'],
  ];
  for (const [contentType, patchType] of rows) {
    t.equal(patchTypeOf(contentType), patchType, contentType);
  }
  const unknown = [
    ['', ' ', ';', 'application/json', 'application/yaml', 'text/plain', '*/*', '__proto__'],
    ['application/apply-patch+json', 'application/Merge-Patch+json', 'merge-patch+json'],
    ['application/merge-patch+json, application/json-patch+json', 'constructor'],
  ].flat();
  for (const contentType of unknown) {
    t.same(
      thrownStatus(() => patchTypeOf(contentType)),
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: '415: Unsupported Media Type',
        reason: 'UnsupportedMediaType',
        details: {},
        code: 415,
      },
      contentType,
    );
  }
});

t.test('the format of other bodies', async (t) => {
  const rows: [string, string][] = [
    ['', 'json'],
    [' ; charset=utf-8', 'json'],
    ['application/json', 'json'],
    ['Application/JSON; charset=utf-8', 'json'],
    ['application/yaml ; x=y', 'yaml'],
    ['application/vnd.cluster.protobuf', 'protobuf'],
    ['Application/Vnd.Cluster.Protobuf;x=y', 'protobuf'],
  ];
  for (const [contentType, format] of rows) {
    t.equal(bodyFormat(contentType), format, contentType);
  }
  const unknown = ['application/merge-patch+json', 'text/plain', '*/*'];
  for (const contentType of [...unknown, 'application/vnd.kubernetes.protobuf']) {
    t.match(
      thrownStatus(() => bodyFormat(contentType)),
      {
        code: 415,
        message:
          'the body of the request was in an unknown format - accepted media types include: ' +
          'application/json, application/yaml, application/vnd.cluster.protobuf',
      },
      contentType,
    );
  }
});

t.test('what begins as a JSON object', async (t) => {
  for (const text of ['{', '{}', ' \t\r\n{"a":1}', '{a: b}']) {
    t.equal(startsAsJsonObject(Buffer.from(text)), true, JSON.stringify(text));
  }
  for (const text of ['', ' ', '[]', 'a: {}', '# {', '---\n{}', '\ufeff{}', '\u000b{}', '"{"']) {
    t.equal(startsAsJsonObject(Buffer.from(text)), false, JSON.stringify(text));
  }
});

const META = 'g=meta.cluster.io;v=v1';
const TABLE = `application/json;as=Table;${META}`;
const BINARY = 'application/vnd.cluster.protobuf';
const JSON_FORM: Form = { encoding: 'json' };
const YAML_FORM: Form = { encoding: 'yaml' };
const BINARY_FORM: Form = { encoding: 'protobuf' };
const TABLE_FORM: Form = { encoding: 'json', as: 'Table', metaVersion: 'v1' };
const TABLE_V1BETA1: Form = { ...TABLE_FORM, metaVersion: 'v1beta1' };

const SHOWN: RequestedType = { verb: 'get', message: 'core.v1.ConfigMap', subresource: '' };

function formOf(accept: string, shown: Partial<RequestedType> = {}, query = ''): Form {
  return negotiate(accept, { ...SHOWN, ...shown }, new Query(query));
}

t.test('the usual headers', async (t) => {
  for (const accept of ['', 'application/json', '*/*']) t.equal(formOf(accept), PLAIN_JSON, accept);
});

t.test('a part of an object is no table', async (t) => {
  const shown = { subresource: 'status' };
  t.throws(() => formOf(TABLE, shown), StatusError);
  t.same(formOf(`${TABLE},application/json`, shown), JSON_FORM);
  t.equal(
    formOf(`application/json;as=PartialObjectMetadata;${META}`, shown).as,
    'PartialObjectMetadata',
  );
});

t.test('the first clause that can be served', async (t) => {
  const partial = { as: 'PartialObjectMetadata', metaVersion: 'v1' } as const;
  const rows: [accept: string, form: Form][] = [
    ['application/yaml', YAML_FORM],
    [BINARY, BINARY_FORM],
    [`${BINARY}, */*`, BINARY_FORM],
    [`${BINARY},application/json`, BINARY_FORM],
    ['application/*', JSON_FORM],
    ['*', JSON_FORM],
    ['Application/YAML; charset=utf-8', YAML_FORM],
    ['text/html, application/xml;q=0.9, */*;q=0.8', JSON_FORM],
    ['application/json;q=0.5, application/yaml;q=0.6', YAML_FORM],
    ['application/yaml;q=0, application/json', JSON_FORM],
    ['*/*, application/yaml', YAML_FORM],
    [TABLE, TABLE_FORM],
    [`application/json;as=Table;g=meta.cluster.io;v=v1beta1, ${TABLE}`, TABLE_V1BETA1],
    [`*/*;as=Table;${META}`, TABLE_FORM],
    [`application/yaml;as=Table;${META}`, { ...TABLE_FORM, encoding: 'yaml' }],
    [`${BINARY};as=Table;${META}, application/yaml`, YAML_FORM],
    [`application/json;as=Table;g=meta.k8s.io;v=v1, ${BINARY}`, BINARY_FORM],
    ['application/json;as=Table;g=meta.cluster.io;v=v2, application/yaml', YAML_FORM],
    [`application/json;as=Chair;${META}, application/yaml`, YAML_FORM],
    ['application/json;g=meta.cluster.io, application/yaml', YAML_FORM],
    ['application/json;v=v1, application/yaml', YAML_FORM],
    ['application/json;as=;g=;v=, application/yaml', JSON_FORM],
    [`application/json;as=PartialObjectMetadata;${META}`, { encoding: 'json', ...partial }],
    [`application/yaml;as=PartialObjectMetadata;${META}`, { encoding: 'yaml', ...partial }],
    [`${BINARY};as=PartialObjectMetadata;${META}`, { encoding: 'protobuf', ...partial }],
    ['application/json;stream=watch', JSON_FORM],
    ['application/json;stream=tail, application/yaml', YAML_FORM],
    ['application/yaml;stream=watch, application/json', JSON_FORM],
    ['application/json;sv=v2, application/yaml', YAML_FORM],
    ['application/json;pretty=1;export=1;x=y;charset=utf-8', JSON_FORM],
  ];
  for (const [accept, form] of rows) t.same(formOf(accept), form, accept);
});

t.test('no clause that can be served', async (t) => {
  const types = 'application/json, application/yaml, application/vnd.cluster.protobuf';
  const long = `only the following media types are accepted: ${types}`;
  const rows: [accept: string, message: string][] = [
    ['text/html', '406: Not Acceptable'],
    ['image/png, application/vnd.kubernetes.protobuf', '406: Not Acceptable'],
    ['__proto__', '406: Not Acceptable'],
    [',;=', '406: Not Acceptable'],
    ['application/json;as=Chair;g=meta.cluster.io;v=v1', long],
    [`${BINARY};as=Table;${META}`, long],
    ['application/yaml;stream=watch', long],
    ['*/*;sv=v9', long],
  ];
  for (const [accept, message] of rows) {
    const status = thrownStatus(() => formOf(accept));
    const details = message === long ? undefined : {};
    t.match(status, { code: 406, reason: 'NotAcceptable', message }, accept);
    t.same(status.details, details, accept);
  }
  t.match(
    thrownStatus(() => formOf(TABLE, { verb: 'operation' })),
    { code: 406, message: long },
    'an operation shows no tables',
  );
  t.match(
    thrownStatus(() => formOf('text/html', { message: undefined })),
    { code: 406, message: long },
    'no router refuses what is asked of custom types',
  );
});

t.test('metadata of a list where there is an object, or the other way round', async (t) => {
  const one = `application/json;as=PartialObjectMetadata;${META}, application/json`;
  const many = `application/json;as=PartialObjectMetadataList;${META}, application/json`;
  const form: Form = { encoding: 'json', as: 'PartialObjectMetadata', metaVersion: 'v1' };
  const isList = 'you requested PartialObjectMetadata, but the requested object is a list ';
  const isNone = 'you requested PartialObjectMetadataList, but the requested object is not a list ';
  for (const verb of ['get', 'watch', 'create', 'update', 'patch', 'delete'] as const) {
    t.same(formOf(one, { verb }), form, verb);
    t.match(
      thrownStatus(() => formOf(many, { verb })),
      { code: 406, message: `${isNone}(*core.ConfigMap)`, details: undefined },
      verb,
    );
  }
  t.same(formOf(many, { verb: 'list' }), form);
  t.match(
    thrownStatus(() => formOf(one, { verb: 'list' })),
    { code: 406, message: `${isList}(*core.ConfigMapList)` },
  );
  for (const accept of [one, many]) {
    t.same(formOf(accept, { verb: 'deletecollection' }), form, 'its Status is neither');
  }
});

t.test('there are no streams of YAML', async (t) => {
  t.match(
    thrownStatus(() => formOf('application/yaml, application/json', { verb: 'watch' })),
    {
      code: 406,
      message:
        'only the following media types are accepted: application/json;stream=watch, ' +
        'application/vnd.cluster.protobuf;stream=watch',
    },
  );
  const stream = `${BINARY};stream=watch`;
  t.same(formOf(stream, { verb: 'watch' }), BINARY_FORM);
});

t.test('what rows of a table hold', async (t) => {
  for (const includeObject of ['', 'Metadata']) {
    t.same(formOf(TABLE, {}, `includeObject=${includeObject}`), TABLE_FORM, includeObject);
  }
  for (const includeObject of ['None', 'Object'] as const) {
    t.same(
      formOf(TABLE, {}, `includeObject=${includeObject}`),
      { ...TABLE_FORM, includeObject },
      includeObject,
    );
  }
  t.match(
    thrownStatus(() => formOf(TABLE, {}, 'includeObject=a"b')),
    {
      code: 400,
      message:
        'Unable to convert to Table as requested: includeObject: Invalid value: "a\\"b": ' +
        "must be 'Metadata', 'Object', 'None', or empty",
    },
  );
  t.same(formOf('application/json;x=y', {}, 'includeObject=x'), JSON_FORM, 'only of tables');
});

t.test('the encoding of errors knows no transforms', async (t) => {
  const rows: [accept: string, encoding: string | undefined][] = [
    ['', 'json'],
    ['*/*', 'json'],
    [BINARY, 'protobuf'],
    [`${BINARY};as=PartialObjectMetadata;${META}, ${BINARY};q=0.1`, 'protobuf'],
    [`${TABLE},application/yaml`, 'yaml'],
    [TABLE, undefined],
    ['text/html', undefined],
  ];
  for (const [accept, encoding] of rows) t.equal(errorEncoding(accept), encoding, accept);
});

t.test('a header of many clauses is read once', async (t) => {
  const accept = `${`${TABLE.replace('v1', 'v9')},`.repeat(1_000)}application/yaml`;
  t.same(formOf(accept), YAML_FORM);
});

t.test('who is shown indented JSON', async (t) => {
  const rows: [parameter: string, agent: string, accept: string, pretty: boolean][] = [
    ['', 'client/1.23', '', false],
    ['', 'curl/8', '', true],
    ['false', 'curl/8', '', false],
    ['true', 'client/1.23', '', true],
    ['T', 'client/1.23', '', true],
    ['yes', 'curl/8', '', false],
    ['', 'client/1.23', 'application/json;pretty=1', true],
    ['', 'client/1.23', 'application/json;pretty=0', false],
    ['', 'client/1.23', 'text/pretty', false],
  ];
  for (const [parameter, agent, accept, pretty] of rows) {
    t.equal(wantsPretty(parameter, agent, accept), pretty, `${parameter} ${agent} ${accept}`);
  }
});
