/** Subresources that are operations, such as `eviction`, `exec` and `proxy`. */
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import type { ApiOperation, ApiPath, Method } from './api-paths.ts';
import { messageName } from './definition-names.ts';
import type { DescribedModel } from './definitions.ts';
import { capitalized } from './operation-ids.ts';
import { optionParameters, PATH_PARAMETER, type Parameter } from './parameters.ts';
import {
  itemParameters,
  itemPath,
  itemPathOf,
  operation,
  target,
  UNAUTHORIZED,
  type Resource,
} from './resource-operations.ts';

const ALL_METHODS: readonly Method[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** The shape of a subresource that is an operation. */
type OperationShape =
  | { readonly create: readonly [group: string, kind: string] }
  | { readonly connect: readonly Method[]; readonly options: string; readonly withPath?: true }
  | { readonly readText: string };

const OPERATION_SHAPES: Readonly<Record<string, OperationShape>> = {
  attach: { connect: ['get', 'post'], options: 'AttachOptions' },
  binding: { create: ['', 'Binding'] },
  eviction: { create: ['policy', 'Eviction'] },
  exec: { connect: ['get', 'post'], options: 'ExecOptions' },
  log: { readText: 'LogOptions' },
  portforward: { connect: ['get', 'post'], options: 'PortForwardOptions' },
  proxy: { connect: ALL_METHODS, options: 'ProxyOptions', withPath: true },
  token: { create: [ownGroup('authentication.cluster.io'), 'TokenRequest'] },
};

/** The paths of such a subresource. Throws an Error when it is not known here. */
export function operationPaths(resource: Resource, model: DescribedModel): ApiPath[] {
  const { root, kind, subresource } = resource;
  const shape = OPERATION_SHAPES[subresource];
  if (shape === undefined) throw new Error(`${resource.plural}/${subresource} is not documented`);
  if ('create' in shape) {
    const [group, bodyKind] = shape.create;
    const message = messageName(group, 'v1', bodyKind);
    const gvk = { group: group, kind: bodyKind, version: 'v1' };
    return [itemPath({ ...resource, message, gvk }, ['create'])];
  }
  const path = itemPathOf(resource);
  if ('readText' in shape) {
    const options = optionParameters(model, `core.v1.${kind}${shape.readText}`);
    const read = operation(resource, 'read', [...itemParameters(resource), ...options]);
    const responses = { '200': 'string', ...UNAUTHORIZED } as const;
    return [{ root, path, operations: [{ ...read, produces: 'text', responses }] }];
  }
  const gvk = { ...resource.gvk, kind: `${kind}${shape.options}` };
  const options = optionParameters(model, `core.v1.${gvk.kind}`);
  const place = [...itemParameters({ ...resource, gvk }), ...options];
  const connects = (suffix: string, parameters: readonly Parameter[]): ApiOperation[] =>
    shape.connect.map((method) => ({
      method,
      id: `connect${resource.idPrefix}${capitalized(method)}${target(resource)}${suffix}`,
      tag: resource.tag,
      description: `Connects to ${subresource} of a ${kind} with ${method.toUpperCase()}.`,
      action: 'connect',
      kind: gvk,
      consumes: 'any',
      produces: 'any',
      parameters,
      responses: { '200': 'string', ...UNAUTHORIZED },
    }));
  const paths = [{ root, path, operations: connects('', place) }];
  if (shape.withPath !== true) return paths;
  const operations = connects('WithPath', [...place, PATH_PARAMETER]);
  return [...paths, { root, path: `${path}/{path}`, operations }];
}
