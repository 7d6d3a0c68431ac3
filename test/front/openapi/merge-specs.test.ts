/** Documents of several servers as one: names that mean the same are one, others become several. */
import { gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { mergeSpecs } from '../../../src/front/openapi/merge-specs.ts';

const KINDS = 'x-kubernetes-group-version-kind';

function merged(own: object, ...specs: { readonly root: string; readonly spec: object }[]) {
  const texts = specs.map(({ root, spec }) => ({ root, text: JSON.stringify(spec) }));
  const result = mergeSpecs({ zipped: gzipSync(JSON.stringify(own)), specs: texts });
  return {
    document: JSON.parse(gunzipSync(result.zipped).toString()),
    added: JSON.parse(result.added),
  };
}

const item = (name: string) => ({ schema: { $ref: `#/definitions/${name}` } });
const OWN = { paths: { '/a': {} }, definitions: { Meta: { type: 'object' } } };

t.test('a definition that means the same is told once', async (t) => {
  const meta = { type: 'object', [KINDS]: [{ kind: 'Meta' }] };
  const spec = { paths: { '/apis/g/v1/b': item('Meta') }, definitions: { Meta: meta } };
  const { document, added } = merged(OWN, { root: '/apis/g/v1', spec });
  t.same(document, { ...OWN, paths: { '/a': {}, '/apis/g/v1/b': item('Meta') } });
  t.same(added, { paths: { '/apis/g/v1/b': item('Meta') } });
});

t.test('another of the same name gets one that is free', async (t) => {
  const part = (root: string, type: string) => ({
    root,
    spec: { paths: { [`${root}/b`]: item('Meta') }, definitions: { Meta: { type } } },
  });
  const specs = [part('/apis/g/v1', 'string'), part('/apis/h/v1', 'number')];
  const { document } = merged(OWN, ...specs, part('/apis/i/v1', 'string'));
  t.same(document.definitions, {
    Meta: { type: 'object' },
    Meta_v2: { type: 'string' },
    Meta_v3: { type: 'number' },
  });
  t.same(document.paths, {
    '/a': {},
    '/apis/g/v1/b': item('Meta_v2'),
    '/apis/h/v1/b': item('Meta_v3'),
    '/apis/i/v1/b': item('Meta_v2'),
  });
});

t.test('paths of others, and those that somebody has already, are left out', async (t) => {
  const paths = { '/apis/g/v1/b': {}, '/apis/g/v10/b': {}, '/apis/g/v1': {}, '/a': { get: {} } };
  const { document } = merged(OWN, { root: '/apis/g/v1', spec: { paths } });
  t.same(document.paths, { '/a': {}, '/apis/g/v1/b': {} });
});

t.test('what is referred to may refer to more, in circles and to parameters', async (t) => {
  const paths = { '/apis/g/v1/b': { parameters: [{ $ref: '#/parameters/p~1q' }], ...item('B') } };
  const definitions = { B: { items: { $ref: '#/definitions/C' } }, C: item('B'), D: {} };
  const parameters = { 'p/q': { name: 'p' }, r: {} };
  const { document } = merged(OWN, {
    root: '/apis/g/v1',
    spec: { paths, definitions, parameters },
  });
  const { D: _left, ...told } = definitions;
  t.same(document.definitions, { ...OWN.definitions, ...told });
  t.same(document.parameters, { 'p/q': { name: 'p' } });
});

t.test('what is no document', async (t) => {
  const specs = [{ root: '/apis/g/v1', text: '<html>' }];
  t.throws(() => mergeSpecs({ zipped: gzipSync(JSON.stringify(OWN)), specs }), SyntaxError);
});

t.end();
