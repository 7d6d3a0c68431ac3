/** Ingresses before networking/v1: a backend was two members. */
import type { ApiObject } from '../resources/kind.ts';
import type { RemovedVersion, Report } from './manifest-version.ts';
import { isMembers, itemsAt, objectAt, rename, type Members } from './members.ts';

/** The paths of all rules, with their places. */
function pathsOf(object: Members): [Members, string][] {
  return itemsAt(object, 'spec', 'rules').flatMap(([rule, place]) =>
    itemsAt(rule, 'http', 'paths').map(([path, at]): [Members, string] => [path, `${place}.${at}`]),
  );
}

function backendToStored(backend: Members, place: string, report: Report): void {
  const { serviceName: name, servicePort: port } = backend;
  if (name === undefined && port === undefined) return;
  delete backend['serviceName'];
  delete backend['servicePort'];
  const service: Members = name === undefined ? {} : { name };
  if (typeof port === 'number') service['port'] = { number: port };
  else if (typeof port === 'string' && port !== '') service['port'] = { name: port };
  else report(`${place}.service.port`, 'is required');
  if (name === undefined) report(`${place}.service.name`, 'is required');
  backend['service'] = service;
}

function backendFromStored(backend: Members): void {
  const service = objectAt(backend, 'service');
  if (service === undefined) return;
  delete backend['service'];
  if (service['name'] !== undefined) backend['serviceName'] = service['name'];
  const { name, number } = objectAt(service, 'port') ?? {};
  const port = name === undefined || name === '' ? number : name;
  if (port !== undefined) backend['servicePort'] = port;
}

function toStored(object: ApiObject, report: Report): ApiObject {
  const spec = objectAt(object, 'spec');
  if (spec === undefined) return object;
  rename(spec, 'backend', 'defaultBackend');
  const backend = spec['defaultBackend'];
  if (isMembers(backend)) backendToStored(backend, 'spec.defaultBackend', report);
  for (const [path, place] of pathsOf(object)) {
    path['pathType'] ??= 'ImplementationSpecific';
    const { backend } = path;
    if (isMembers(backend)) backendToStored(backend, `${place}.backend`, report);
  }
  return object;
}

function fromStored(object: ApiObject): ApiObject {
  const spec = objectAt(object, 'spec');
  if (spec === undefined) return object;
  rename(spec, 'defaultBackend', 'backend');
  for (const { backend } of [spec, ...pathsOf(object).map(([path]) => path)]) {
    if (isMembers(backend)) backendFromStored(backend);
  }
  return object;
}

const GROUP_VERSION = 'networking.cluster.io/v1beta1';

export const REMOVED_INGRESSES: readonly RemovedVersion[] = [
  'extensions/v1beta1',
  GROUP_VERSION,
].map((groupVersion) => ({
  kinds: ['Ingress'],
  groupVersion,
  removedIn: '1.22',
  replacement: 'networking.cluster.io/v1',
  toStored,
  fromStored,
}));
