/** Documents of version 2 as documents of version 3: each part goes where that version has it. */
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { convertSpec } from '../../../src/front/openapi/convert-spec.ts';
import { hashOf } from '../../../src/front/openapi/document-pack.ts';

const SWAGGER = { swagger: '2.0', info: { title: 'flowers', version: '1' } };

function converted(spec: object) {
  const { zipped, hash } = convertSpec({ text: JSON.stringify({ ...SWAGGER, ...spec }) });
  const text = gunzipSync(zipped).toString();
  t.equal(hash, hashOf(text));
  return JSON.parse(text);
}

t.test('what is told of the document itself', async (t) => {
  const externalDocs = { description: 'more', url: 'https://flowers.example' };
  const { info } = SWAGGER;
  const left = { host: 'h', basePath: '/', schemes: ['https'], security: [{ token: [] }] };
  const components = {};
  t.same(converted({ ...left, externalDocs }), {
    openapi: '3.0.0',
    info,
    externalDocs,
    components,
  });
});

t.test('operations: bodies and answers in each media type', async (t) => {
  const parameters = [
    { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Flower' } },
    { name: 'limit', in: 'query', type: 'integer', description: 'how many', uniqueItems: true },
    { name: 'kinds', in: 'query', type: 'array', items: { type: 'string' }, 'x-y': 1 },
  ];
  const told = {
    operationId: 'createFlower',
    summary: 's',
    description: 'd',
    tags: ['flowers_v1'],
    deprecated: true,
    'x-kubernetes-action': 'post',
  };
  const post = {
    ...told,
    consumes: ['application/json', 'application/yaml'],
    produces: ['application/json'],
    schemes: ['https'],
    security: [],
    parameters,
    responses: {
      200: { description: 'OK', schema: { type: 'object' }, headers: { A: {} } },
      401: { description: 'Unauthorized' },
      default: { $ref: '#/responses/other' },
    },
  };
  const shared = [{ name: 'namespace', in: 'path', required: true, type: 'string' }];
  const item = { parameters: shared, post, get: { responses: {} }, 'x-z': 2 };
  const { paths } = converted({ paths: { '/flowers': item, 'x-paths': true } });
  const schema = { $ref: '#/components/schemas/Flower' };
  t.same(paths, {
    'x-paths': true,
    '/flowers': {
      'x-z': 2,
      parameters: [{ name: 'namespace', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: {} },
      post: {
        ...told,
        requestBody: {
          content: { 'application/json': { schema }, 'application/yaml': { schema } },
        },
        parameters: [
          {
            name: 'limit',
            in: 'query',
            description: 'how many',
            schema: { type: 'integer', uniqueItems: true },
          },
          { name: 'kinds', in: 'query', schema: { type: 'array' }, 'x-y': 1 },
        ],
        responses: {
          200: {
            description: 'OK',
            content: { 'application/json': { schema: { type: 'object' } } },
          },
          401: { description: 'Unauthorized' },
          default: { $ref: '#/components/responses/other' },
        },
      },
    },
  });
});

t.test('what operations do not say of media types nobody says', async (t) => {
  const body = { name: 'body', in: 'body', schema: {} };
  const put = { parameters: [body], responses: { 200: { description: 'OK', schema: {} } } };
  const { paths } = converted({ consumes: ['a/b'], produces: ['a/b'], paths: { '/a': { put } } });
  t.same(paths['/a'].put, { requestBody: {}, responses: { 200: { description: 'OK' } } });
});

t.test('shared parameters stand where they are used', async (t) => {
  const parameters = {
    'a/b': { name: 'pretty', in: 'query', type: 'string' },
    body: { name: 'body', in: 'body', schema: { type: 'object' } },
  };
  const used = [{ $ref: '#/parameters/a~1b' }, { $ref: '#/parameters/body' }];
  const put = { consumes: ['a/b'], parameters: used };
  const { paths, components } = converted({ parameters, paths: { '/a': { put } } });
  t.same(paths['/a'].put, {
    parameters: [{ name: 'pretty', in: 'query', schema: { type: 'string' } }],
    requestBody: { content: { 'a/b': { schema: { type: 'object' } } } },
    responses: {},
  });
  t.same(components, {});
});

t.test('schemas: references lead elsewhere, and stand alone', async (t) => {
  const to = (name: string) => ({ $ref: `#/definitions/${name}` });
  const leadsTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const { components } = converted({
    definitions: {
      Flower: {
        type: 'object',
        'x-kubernetes-group-version-kind': [{ kind: 'Flower' }],
        properties: {
          metadata: { ...to('Meta'), description: 'of the flower', default: {} },
          petals: { type: 'array', items: to('Petal') },
          names: { additionalProperties: to('Name') },
          'x-kubernetes-validations': { ...to('Rule'), description: 'a name like an extension' },
          $ref: { type: 'string', default: '#/definitions/Meta' },
          any: { anyOf: [to('Petal'), { type: 'string' }], additionalProperties: false },
        },
      },
      Meta: { type: 'object' },
    },
  });
  t.same(components.schemas, {
    Flower: {
      type: 'object',
      'x-kubernetes-group-version-kind': [{ kind: 'Flower' }],
      properties: {
        metadata: { description: 'of the flower', default: {}, allOf: [leadsTo('Meta')] },
        petals: { type: 'array', items: leadsTo('Petal') },
        names: { additionalProperties: leadsTo('Name') },
        'x-kubernetes-validations': {
          description: 'a name like an extension',
          allOf: [leadsTo('Rule')],
        },
        $ref: { type: 'string', default: '#/definitions/Meta' },
        any: { anyOf: [leadsTo('Petal'), { type: 'string' }], additionalProperties: false },
      },
    },
    Meta: { type: 'object' },
  });
});

t.test('security and shared answers', async (t) => {
  const scopes = { read: 'reads' };
  const { components } = converted({
    produces: ['a/b'],
    responses: { other: { description: 'o', schema: { type: 'string' } } },
    securityDefinitions: {
      token: { type: 'apiKey', name: 'authorization', in: 'header', description: 'a token' },
      oauth: { type: 'oauth2', flow: 'password', tokenUrl: 'https://t', scopes, 'x-a': 1 },
    },
  });
  t.same(components, {
    responses: { other: { description: 'o', content: { 'a/b': { schema: { type: 'string' } } } } },
    securitySchemes: {
      token: { type: 'apiKey', name: 'authorization', in: 'header', description: 'a token' },
      oauth: {
        type: 'oauth2',
        'x-a': 1,
        flows: { password: { tokenUrl: 'https://t', scopes } },
      },
    },
  });
});

t.test('what is no document', async (t) => {
  t.throws(() => convertSpec({ text: '<html>' }), SyntaxError);
  t.throws(() => convertSpec({ text: 'null' }), TypeError);
});

t.end();
