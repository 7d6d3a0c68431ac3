/** Which path and method is answered how: slashes at ends, escapes, HEAD, and other methods. */
import t from 'tap';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();
await server.post(CONFIG_MAPS, configMap('a'));

const PODS = '/api/v1/namespaces/default/pods';
const REVIEWS = '/apis/authentication.cluster.io/v1/tokenreviews';

/** The kind of document that an answer is, or its type. */
async function answerTo(method: string, path: string): Promise<string> {
  const { status, headers, json } = await server.request(method, path);
  const what = json?.kind === 'Status' ? json.reason : (json?.kind ?? headers['content-type']);
  return `${status} ${what}`;
}

const TEXT = 'text/plain; charset=utf-8';

t.test('a path may end in slashes where it names an API', async (t) => {
  const rows: [string, string][] = [
    ['/version/', '200 application/json'],
    ['/version//', '200 application/json'],
    ['/version/x', '404 NotFound'],
    ['/api/', '200 APIVersions'],
    ['/api//', '200 APIVersions'],
    ['/apis/', '200 APIGroupList'],
    ['/apis//', `404 ${TEXT}`],
    ['/api/v1//', '200 APIResourceList'],
    ['/apis/apps//', '200 APIGroup'],
    ['/apis/apps/v1//', '200 APIResourceList'],
    ['/apis/apps/v9/', '404 NotFound'],
    ['/apis/none/', `404 ${TEXT}`],
    [`${CONFIG_MAPS}//`, '200 ConfigMapList'],
    [`${CONFIG_MAPS}/a/`, '200 ConfigMap'],
    [`${CONFIG_MAPS}/a//`, '200 ConfigMap'],
    ['/api/v1/namespaces/default/status/', '200 Namespace'],
    ['/healthz/', `404 ${TEXT}`],
    ['/livez/ping/', `404 ${TEXT}`],
    ['/readyz//', `404 ${TEXT}`],
    ['/openapi/v2/', `404 ${TEXT}`],
    ['/openapi/v3/', `404 ${TEXT}`],
    ['//', `404 ${TEXT}`],
    ['//api', `404 ${TEXT}`],
    ['/index.html', '200 application/json'],
  ];
  for (const [path, expected] of rows) t.equal(await answerTo('GET', path), expected, path);
});

t.test('empty segments inside of a path', async (t) => {
  const everywhere = '/api/v1/namespaces//configmaps';
  t.equal(await answerTo('GET', everywhere), '200 ConfigMapList');
  for (const [method, path] of [
    ['GET', `${everywhere}/a`],
    ['DELETE', `${everywhere}/a`],
    ['DELETE', everywhere],
  ] as const) {
    const { status, json } = await server.request(method, path);
    t.same([status, json.message], [400, 'Namespace parameter required.'], `${method} ${path}`);
  }
  for (const path of [`${PODS}//status`, `${PODS}//log`, '/api/v1/nodes//status']) {
    const { status, json } = await server.get(path);
    t.same([status, json.message], [400, 'name must be provided'], path);
  }
  for (const path of ['/api/v1//configmaps', '/api/v1/namespaces/default//configmaps']) {
    t.equal(await answerTo('GET', path), '404 NotFound', path);
  }
  t.equal(await answerTo('GET', '/api//v1'), '404 NotFound');
});

t.test('a path is unescaped before it is read', async (t) => {
  const rows: [string, string][] = [
    ['/%61pi/v1', '200 APIResourceList'],
    ['/api%2Fv1', '200 APIResourceList'],
    ['/version%2F', '200 application/json'],
    ['/healthz%2Fping', `200 ${TEXT}`],
    ['/api/v1/namespaces/default%2Fconfigmaps/a', '200 ConfigMap'],
    ['/api/v1/%zz', '400 BadRequest'],
  ];
  for (const [path, expected] of rows) t.equal(await answerTo('GET', path), expected, path);
  for (const [name, why] of [
    ['%2E%2E', `".." : may not be '..'`],
    ['.', `"." : may not be '.'`],
    ['a%25b', `"a%b" : may not contain '%'`],
  ] as const) {
    for (const method of ['GET', 'DELETE']) {
      const { status, json } = await server.request(method, `${CONFIG_MAPS}/${name}`);
      const message = `Name parameter invalid: ${why.replace('" :', '":')}`;
      t.same([status, json.message], [400, message], `${method} ${name}`);
    }
  }
});

t.test('which methods a path has', async (t) => {
  const any = ['/', '/index.html', '/apis', '/apis/', '/apis/apps', '/openapi/v2', '/healthz'];
  for (const path of any) {
    for (const method of ['PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      t.equal((await server.request(method, path)).status, 200, `${method} ${path}`);
    }
  }
  const read = [
    '/version',
    '/version/',
    '/api',
    '/api/v1',
    '/apis/apps/v1',
    '/apis/apiregistration.cluster.io',
  ];
  for (const path of [...read, CONFIG_MAPS, `${CONFIG_MAPS}/a`]) {
    for (const method of ['HEAD', 'OPTIONS']) {
      t.equal((await server.request(method, path)).status, 405, `${method} ${path}`);
    }
  }
  for (const path of read) t.equal(await answerTo('PUT', path), '405 MethodNotAllowed', path);
});

t.test(
  'kinds that are only sent have no objects, and no path without their namespace',
  async (t) => {
    for (const path of [
      `${REVIEWS}/x`,
      '/api/v1/bindings',
      '/apis/authorization.cluster.io/v1/localsubjectaccessreviews',
    ]) {
      for (const method of ['GET', 'POST', 'HEAD']) {
        t.equal((await server.request(method, path)).status, 404, `${method} ${path}`);
      }
    }
    t.equal(await answerTo('GET', REVIEWS), '405 MethodNotAllowed');
    t.equal(await answerTo('GET', '/api/v1/namespaces/default/bindings'), '405 MethodNotAllowed');
  },
);
