/**
 * The last part of a comparison: paths as nobody should write them, with every method and with what
 * discovery and lists are asked for. None of these requests changes anything.
 */
import type { Lane } from './lane.ts';
import { METADATA, METADATA_LIST, TABLE } from './plain-requests.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'BREW'];

/** No objects: these are asked to be deleted too. */
const PLACES = [
  ['/', '//', '/api', '/api/', '/apis', '/apis/', '/api/v1', '/api/v1/', '/apis/apps'],
  ['/apis/apps/', '/apis/apps/v1', '/apis/apps/v1/', '/apis/none', '/apis/none/v1', '/api/v2'],
  ['/apis/apps/v2', '/api/v1/none', '/api/v1/none/x', '/API/V1', '/Api/v1/pods', '/api/v1/Pods'],
  ['/api/..', '/api/../apis', '/api/./v1', '/..', '/%61pi/v1', '/api%2fv1', '/api//v1/pods'],
  ['//api/v1/pods', '/api/v1//pods', '/api/v1/watch', '/api/v1/watch/', '/api/v1/watch/none'],
  ['/api/v1/proxy/nodes/x', '/api/v1/redirect/nodes/x', '/apis/extensions/v1beta1/ingresses'],
  ['/apis/metrics.k8s.io/v1beta1', '/apis/policy/v1/evictions', '/api/v1/bindings'],
  ['/healthz', '/healthz/', '/healthz/none', '/healthz/poststarthook', '/livez', '/livez/'],
  ['/livez/none', '/livez/shutdown', '/readyz', '/readyz/none', '/readyz?exclude=ping'],
  ['/healthz/poststarthook/none', '/version/x', '/openapi', '/openapi/', '/openapi/v2/'],
  ['/openapi/v4', '/swagger.json', '/swagger-2.0.0.json', '/swaggerapi', '/ui', '/debug'],
  ['/metrics/slis', '/metrics/cadvisor', '/.well-known', '/.well-known/', '/openid'],
  ['/openid/v1', '/static', '/index.html', '/favicon.ico', '/robots.txt', '/none', '/none/'],
].flat();

/** Below the namespace of the lane. */
const IN_NAMESPACE = [
  ['', '/', '/none', '/status', '/status/x', '/finalize', '/nodes', '/namespaces', '/bindings'],
  ['/configmaps/', '//configmaps', '/configmaps/c', '/configmaps/c/', '/configmaps/c/none'],
  ['/configmaps/c/status', '/configmaps/c?', '/configmaps/c??', '/configmaps/c?a=b;c=d'],
  ['/configmaps/c?pretty=%zz', '/configmaps/%63', '/configmaps/a%2fb', '/configmaps/%20'],
  ['/configmaps/%e2%82%ac', '/configmaps/a+b', '/configmaps/a;b', '/configmaps;x=1/c'],
  ['/configmaps/none', '/configmaps?x=y', '/configmaps?limit=-1', '/configmaps?limit=x'],
  ['/pods/none/log', '/pods/none/exec', '/pods/none/binding', '/pods/none/eviction'],
  ['/pods/none/status', '/pods/none/proxy', '/services/none/proxy/x', '/services/none/status'],
  ['/serviceaccounts/none/token', '/replicationcontrollers/none/scale'],
].flat();

/** Scales of objects that are not there. */
const SCALES = ['deployments', 'replicasets', 'statefulsets'].map((of) => `/${of}/none/scale`);
/** Some of these do not end. */
const WATCHED = ['/configmaps/none?watch=true', '/configmaps/c?watch=1&resourceVersion=x'];

const LISTED = ['/configmaps', '/configmaps/c', '/configmaps/none'];
const DISCOVERED = ['/apis', '/api/v1', '/apis/apps', '/apis/apps/v1', '/none'];
const ACCEPTS = [
  ['*/*', 'application/*', 'text/*', 'text/html', 'application/json;q=0.5,application/yaml'],
  ['application/json;charset=utf-8', 'application/json;stream=watch', 'application/yaml'],
  [TABLE, METADATA, METADATA_LIST, `${TABLE},application/json`, `${TABLE}, */*`],
  ['application/json;as=Table', 'application/json;as=Table;v=v2;g=meta.k8s.io'],
  ['application/json;as=Other;v=v1;g=meta.k8s.io', 'application/json; profile=nested'],
  ['application/yaml;as=Table;v=v1;g=meta.k8s.io', 'garbage', ',', ';'],
].flat();

const NAMES = { kind: 'path', groupVersion: 'any', subresource: '' };

/** Sends so many of them, which stand for all, until `isEnded`. */
export async function runOddPaths(
  lane: Lane,
  requests: number,
  isEnded: () => boolean,
): Promise<void> {
  const home = `/api/v1/namespaces/${lane.namespace}`;
  const map = { kind: 'ConfigMap', groupVersion: 'v1', subresource: '' };
  const body = JSON.stringify({ metadata: { name: 'c' }, data: { a: 'b' } });
  await lane.send({ ...map, method: 'POST', path: `${home}/configmaps`, body }, 'create', home);
  const asked = [
    ...PLACES.flatMap((path) => [...METHODS, 'DELETE'].map((method) => ({ method, path }))),
    ...IN_NAMESPACE.flatMap((path) => METHODS.map((method) => ({ method, path: home + path }))),
    ...SCALES.map((path) => ({ method: 'GET', path: home.replace('/api', '/apis/apps') + path })),
    ...WATCHED.map((path) => ({ method: 'GET', path: home + path, isEndless: true })),
    ...[...LISTED.map((path) => home + path), ...DISCOVERED].flatMap((path) =>
      ACCEPTS.map((accept) => ({ method: 'GET', path, accept })),
    ),
  ];
  const step = Math.ceil(asked.length / requests);
  for (const [at, request] of asked.entries()) {
    if (isEnded()) return;
    if (at % step !== 0) continue;
    const what =
      'accept' in request ? 'accept' : 'isEndless' in request ? 'watch one' : request.method;
    await lane.look({ ...NAMES, ...request }, what, 'odd paths');
  }
}
