/** Requests that cannot be served: method, path, size, media type, parameters. */
import t from 'tap';
import { expectUnharmed } from '../support/expect-status.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { refuses } from '../support/bad-requests.ts';
import { sharedServer } from '../support/shared-server.ts';

const NOT_SERVED = {
  code: 404,
  reason: 'NotFound',
  message: 'the server could not find the requested resource',
  details: {},
};
const NO_SUCH_METHOD = {
  code: 405,
  reason: 'MethodNotAllowed',
  message: 'the server does not allow this method on the requested resource',
  details: {},
};

const server = await sharedServer();
await server.post(CONFIG_MAPS, configMap('existing'));

refuses(t, server, [
  {
    name: 'POST on an object',
    path: `${CONFIG_MAPS}/existing`,
    body: '{}',
    expected: NO_SUCH_METHOD,
  },
  { name: 'PUT on a collection', method: 'PUT', body: '{}', expected: NO_SUCH_METHOD },
  { name: 'DELETE of /version', method: 'DELETE', path: '/version', expected: NO_SUCH_METHOD },
  { name: 'a method nobody knows', method: 'PROPFIND', expected: NO_SUCH_METHOD },
  { name: 'an unknown resource type', method: 'GET', path: '/api/v1/foos', expected: NOT_SERVED },
  {
    name: 'one in a namespace',
    path: '/api/v1/namespaces/default/foos',
    body: '{}',
    expected: NOT_SERVED,
  },
  { name: 'one of a group', method: 'GET', path: '/apis/apps/v1/foos', expected: NOT_SERVED },
  {
    name: 'an unknown version',
    method: 'GET',
    path: '/apis/apps/v9/controllerrevisions',
    expected: NOT_SERVED,
  },
  {
    name: 'an unknown subresource',
    method: 'GET',
    path: `${CONFIG_MAPS}/existing/nothing`,
    expected: NOT_SERVED,
  },
  {
    name: 'a cluster kind in a namespace',
    method: 'GET',
    path: '/api/v1/namespaces/default/persistentvolumes',
    expected: NOT_SERVED,
  },
]);

t.test('paths outside the API are plain 404', async (t) => {
  for (const path of ['/nothing', '/apis/nothing.example.com', '/apis/nothing.example.com/v1/x']) {
    const answer = await server.get(path);
    t.equal(answer.status, 404, path);
    t.equal(answer.headers['content-type'], 'text/plain; charset=utf-8', path);
    t.equal(answer.headers['x-content-type-options'], 'nosniff', path);
    t.equal(answer.text.trimEnd(), '404 page not found', path);
  }
  for (const path of ['/api/v1/%zz', `${CONFIG_MAPS}/%00`, `${CONFIG_MAPS}/%ff`, '//', '/../..']) {
    const answer = await server.get(path);
    t.ok([301, 400, 404].includes(answer.status), `${path}: ${answer.status}`);
  }
  await expectUnharmed(t, server);
});

const BAD_TIMEOUT = {
  code: 400,
  reason: 'BadRequest',
  message: 'invalid timeout specified in the request URL - time: missing unit in duration "1"',
};
const NO_EXPORT = {
  code: 400,
  reason: 'BadRequest',
  message: 'the export parameter, deprecated since v1.14, is no longer supported',
};
refuses(t, server, [
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'GET'].map((method) => ({
    name: `a timeout that is no duration, ${method}`,
    method,
    path: `${CONFIG_MAPS}${method === 'POST' ? '' : '/existing'}?timeout=1`,
    ...(method !== 'GET' && { body: method === 'DELETE' ? undefined : configMap('timeout') }),
    expected: BAD_TIMEOUT,
  })),
  ...['/version/', '/livez', '/openapi/v2', '/', '/none', '/apis/none/v1/x'].map((path) => ({
    name: `the same of ${path}`,
    method: 'GET',
    path: `${path}?timeout=1`,
    headers: { authorization: undefined },
    expected: BAD_TIMEOUT,
  })),
  ...['true', '', 'x'].map((value) => ({
    name: `export=${value}`,
    method: 'GET',
    path: `${CONFIG_MAPS}/existing?export=${value}`,
    expected: NO_EXPORT,
  })),
  {
    name: 'export of a subresource',
    method: 'GET',
    path: '/apis/apps/v1/namespaces/default/deployments/x/scale?export=1',
    expected: NO_EXPORT,
  },
  {
    name: 'export of a kind that is not stored',
    method: 'GET',
    path: '/api/v1/componentstatuses/x?export=1',
    expected: NO_EXPORT,
  },
]);

t.test('a timeout that is a duration, and export where it means nothing', async (t) => {
  for (const timeout of ['1s', '0', '-1h', '1m30s', '.5s', '']) {
    t.equal((await server.get(`${CONFIG_MAPS}?timeout=${timeout}`)).status, 200, timeout);
  }
  for (const query of ['export=true', 'export=false', 'watch=true&timeout=1&timeoutSeconds=1']) {
    t.equal((await server.get(`${CONFIG_MAPS}?${query}`)).status, 200, query);
  }
  t.equal((await server.get(`${CONFIG_MAPS}/existing?export=false&exact=true`)).status, 200);
  t.equal((await server.get(`${CONFIG_MAPS}/timeout`)).status, 404, 'nothing was written');
});

const TOO_LARGE = {
  code: 413,
  reason: 'RequestEntityTooLarge',
  message: 'Request entity too large: limit is 3145728',
};
const overLimit = 'x'.repeat(3 * 1024 * 1024 + 1);
refuses(t, server, [
  { name: 'a body over 3 MiB', body: overLimit, expected: TOO_LARGE },
  {
    name: 'a body over 3 MiB in chunks of unknown number',
    body: overLimit,
    headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' },
    expected: TOO_LARGE,
  },
  {
    name: 'a content type nobody knows',
    body: 'a=b',
    headers: { 'content-type': 'text/plain' },
    expected: {
      code: 415,
      reason: 'UnsupportedMediaType',
      message: /^the body of the request was in an unknown format - accepted media types include: /,
    },
  },
  {
    name: 'a content type with a parameter that has no value',
    body: '{}',
    headers: { 'content-type': 'application/json; charset' },
    expected: { code: 415, reason: 'UnsupportedMediaType' },
  },
  ...['uid=other', 'resourceVersion=1'].map((query) => ({
    name: `a deletion with the precondition ${query}`,
    method: 'DELETE',
    path: `${CONFIG_MAPS}/existing?${query}`,
    expected: { code: 409, reason: 'Conflict', message: /in the precondition \((other|1)\)/ },
  })),
  {
    name: 'a deletion of a collection with a uid',
    method: 'DELETE',
    path: `${CONFIG_MAPS}?uid=other&fieldSelector=metadata.name%3Dexisting`,
    expected: { code: 409, reason: 'Conflict' },
  },
  ...['pods/x/exec', 'pods/x/portforward', 'services/x/proxy'].map((path) => ({
    name: `a dry run of ${path}`,
    method: 'GET',
    path: `/api/v1/namespaces/default/${path}?dryRun=All`,
    expected: { code: 400, reason: 'BadRequest', message: 'dryRun is not supported' },
  })),
  {
    name: 'a version that is not JSON',
    method: 'GET',
    path: '/version',
    headers: { accept: 'text/plain' },
    expected: { code: 406, reason: 'NotAcceptable', message: '406: Not Acceptable' },
  },
  {
    name: 'groups in a form that they do not have',
    method: 'GET',
    path: '/apis',
    headers: { accept: 'text/html' },
    expected: {
      code: 406,
      reason: 'NotAcceptable',
      message: /^only the following media types are accepted: application\/json, /,
    },
  },
  {
    name: 'an Accept that cannot be served',
    method: 'GET',
    headers: { accept: 'image/png' },
    expected: { code: 406, reason: 'NotAcceptable' },
  },
]);

refuses(t, server, [
  {
    name: 'a limit that is no number',
    method: 'GET',
    path: `${CONFIG_MAPS}?limit=x`,
    expected: {
      code: 400,
      reason: 'BadRequest',
      message: /strconv\.ParseInt: parsing "x": invalid syntax/,
    },
  },
  ...['limit', 'timeoutSeconds'].map((name) => ({
    name: `an empty ${name}`,
    method: 'GET',
    path: `${CONFIG_MAPS}?${name}=`,
    expected: {
      code: 400,
      reason: 'BadRequest',
      message: 'strconv.ParseInt: parsing "": invalid syntax',
    },
  })),
  {
    name: 'a watch with what only lists have',
    method: 'GET',
    path: `${CONFIG_MAPS}?watch=true&resourceVersionMatch=Exact`,
    expected: {
      code: 422,
      reason: 'Invalid',
      message:
        'ListOptions.meta.cluster.io "" is invalid: [' +
        'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch, ' +
        'resourceVersionMatch: Forbidden: ' +
        'resourceVersionMatch is forbidden unless resourceVersion is provided]',
    },
  },
  ...['/api/v1/watch/pods/x', '/apis/apps/v1/watch/namespaces/default/deployments/x/scale'].map(
    (path) => ({ name: path, method: 'GET', path, expected: NOT_SERVED }),
  ),
  {
    name: 'a timeoutSeconds that is no number',
    method: 'GET',
    path: `${CONFIG_MAPS}?watch=true&timeoutSeconds=soon`,
    expected: { code: 400, reason: 'BadRequest' },
  },
  {
    name: 'a resourceVersion that is no number',
    method: 'GET',
    path: `${CONFIG_MAPS}?resourceVersion=abc`,
    expected: { code: 400, reason: 'BadRequest' },
  },
  {
    name: 'a watch from a resourceVersion that is no number',
    method: 'GET',
    path: `${CONFIG_MAPS}?watch=true&resourceVersion=-5x`,
    expected: { code: 400, reason: 'BadRequest' },
  },
  {
    name: 'an unknown dryRun',
    path: `${CONFIG_MAPS}?dryRun=Some`,
    body: configMap('x'),
    expected: {
      code: 422,
      reason: 'Invalid',
      message:
        'CreateOptions.meta.cluster.io "" is invalid: dryRun: Unsupported value: ' +
        '[]string{"Some"}: supported values: "All"',
    },
  },
  {
    name: 'an unknown fieldValidation',
    path: `${CONFIG_MAPS}?fieldValidation=Maybe`,
    body: configMap('x'),
    expected: {
      code: 422,
      reason: 'Invalid',
      message: /fieldValidation: Unsupported value: "Maybe"/,
    },
  },
  {
    name: 'resourceVersionMatch without a version',
    method: 'GET',
    path: `${CONFIG_MAPS}?resourceVersionMatch=Exact`,
    expected: {
      code: 422,
      reason: 'Invalid',
      message:
        /resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided/,
    },
  },
]);

t.test('a body of no chunk is an empty one', async (t) => {
  const requests = [
    ['POST', CONFIG_MAPS],
    ['PUT', `${CONFIG_MAPS}/existing`],
    ['POST', '/api/v1/namespaces/ns/pods/x/eviction'],
    ['POST', '/api/v1/namespaces/ns/bindings'],
    ['POST', '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews'],
    ['DELETE', `${CONFIG_MAPS}/none`],
    ['DELETE', `${CONFIG_MAPS}?labelSelector=of=none`],
  ] as const;
  const chunked = { 'content-length': undefined, 'transfer-encoding': 'chunked' };
  for (const [method, path] of requests) {
    for (const type of ['application/json', 'application/yaml']) {
      const headers = { 'content-type': type };
      const empty = await server.request(method, path, '', { ...headers, 'content-length': '0' });
      const none = await server.request(method, path, '', { ...headers, ...chunked });
      t.same([none.status, none.text], [empty.status, empty.text], `${method} ${path} ${type}`);
      t.not(none.status, 500);
    }
  }
});
