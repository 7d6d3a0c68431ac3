/** Requests have the attributes that release 1.23.17 gave them. */
import t from 'tap';
import { Query } from '../../src/front/requests/query.ts';
import { requestAttributes } from '../../src/front/requests/request-attributes.ts';
import { requestHead } from '../support/answer-context.ts';

function asked(method: string, url: string) {
  const [path = '', query] = url.split('?');
  const head = requestHead({ method, url, path, query });
  return requestAttributes(head, new Query(query));
}

t.test('of a resource', async (t) => {
  const pods = '/api/v1/namespaces/ns/pods';
  const rows: [string, string, string][] = [
    ['get', `${pods}/x`, 'get ns//v1/pods//x'],
    ['head', `${pods}/x`, 'get ns//v1/pods//x'],
    // The server has a watch there, where the reference serves the object.
    ['get', `${pods}/x?watch=true`, 'watch ns//v1/pods//x'],
    ['get', `${pods}/x?watch=0`, 'get ns//v1/pods//x'],
    ['get', `${pods}/x/log?watch=true`, 'get ns//v1/pods/log/x'],
    ['put', `${pods}/x?watch=true`, 'update ns//v1/pods//x'],
    ['get', pods, 'list ns//v1/pods//'],
    ['get', `${pods}/`, 'list ns//v1/pods//'],
    ['get', `${pods}?watch=0`, 'list ns//v1/pods//'],
    ['get', `${pods}?watch`, 'watch ns//v1/pods//'],
    ['get', `${pods}?fieldSelector=metadata.name%3Da`, 'list ns//v1/pods//a'],
    [
      'get',
      `${pods}?watch=1&fieldSelector=metadata.name%3D%3Da,spec.x!%3D1`,
      'watch ns//v1/pods//a',
    ],
    ['get', `${pods}?fieldSelector=metadata.name!%3Da`, 'list ns//v1/pods//'],
    ['get', `${pods}?fieldSelector=metadata.name%3Da%2Fb`, 'list ns//v1/pods//'],
    ['get', `${pods}?fieldSelector=bad`, 'list ns//v1/pods//'],
    ['post', pods, 'create ns//v1/pods//'],
    ['post', `${pods}/x/exec`, 'create ns//v1/pods/exec/x'],
    ['put', `${pods}/x/status`, 'update ns//v1/pods/status/x'],
    ['patch', `${pods}/x`, 'patch ns//v1/pods//x'],
    ['delete', `${pods}/x`, 'delete ns//v1/pods//x'],
    ['delete', pods, 'deletecollection ns//v1/pods//'],
    ['options', `${pods}/x`, ' ns//v1/pods//x'],
    ['get', '/api/v1/pods', 'list //v1/pods//'],
    ['get', '/api/v1/watch/namespaces/ns/pods', 'watch ns//v1/pods//'],
    ['get', '/api/v1/proxy/namespaces/ns/pods/x/y', 'proxy ns//v1/pods//x'],
    ['get', '/api/v1/namespaces', 'list //v1/namespaces//'],
    ['get', '/api/v1/namespaces/ns', 'get ns//v1/namespaces//ns'],
    ['put', '/api/v1/namespaces/ns/finalize', 'update ns//v1/namespaces/finalize/ns'],
    ['get', '/apis/apps/v1/deployments/x/scale/more', 'get /apps/v1/deployments/scale/x'],
    ['delete', '/apis/foo.example.com/v2/bars/x', 'delete /foo.example.com/v2/bars//x'],
    ['delete', '/apis/apps/v1//x', 'delete /apps/v1///x'],
  ];
  for (const [method, url, expected] of rows) {
    const { verb, namespace, group, version, resource, subresource, name } = asked(method, url);
    const found = [`${verb} ${namespace}`, group, version, resource, subresource, name].join('/');
    t.equal(found, expected, `${method} ${url}`);
    t.ok(asked(method, url).isResource);
  }
});

t.test('of a path alone', async (t) => {
  const paths = ['/', '/livez/ping', '/api', '/api/v1', '/apis', '/apis/apps/v1', '/apix/v1/pods'];
  for (const path of paths) {
    t.match(asked('get', path), { isResource: false, verb: 'get', path, resource: '' }, path);
  }
  t.match(asked('trace', '/x'), { isResource: false, verb: 'trace' });
});

t.test('a path that ends before it names anything', async (t) => {
  for (const url of ['/api/v1/watch', '/apis/apps/v1/proxy?a=b']) {
    const message = `failed to create RequestInfo: unable to determine kind and namespace from url, ${url}`;
    t.throws(() => asked('get', url), { name: 'UnreadableRequest', message });
  }
});
