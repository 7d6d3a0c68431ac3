/** Subresources that are operations, such as `eviction`, `exec` and `proxy`. */
import { subresourceOperation } from '../operations/operations.ts';
import type { ApiOperation, ApiPath } from './api-paths.ts';
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

/** The paths of such a subresource. */
export function operationPaths(resource: Resource, model: DescribedModel): ApiPath[] {
  const { root, kind, plural, subresource } = resource;
  const { methods, describedAs } = subresourceOperation(`${plural}/${subresource}`);
  const { group = '', kind: bodyKind } = describedAs.kind;
  if (describedAs.action === 'create') {
    const message = messageName(group, 'v1', bodyKind);
    const gvk = { group, kind: bodyKind, version: 'v1' };
    return [itemPath({ ...resource, message, gvk }, ['create'])];
  }
  const path = itemPathOf(resource);
  if (describedAs.action === 'read') {
    const options = optionParameters(model, `core.v1.${describedAs.options}`);
    const read = operation(resource, 'read', [...itemParameters(resource), ...options]);
    const responses = { '200': 'string', ...UNAUTHORIZED } as const;
    return [{ root, path, operations: [{ ...read, produces: 'text', responses }] }];
  }
  const gvk = { ...resource.gvk, kind: bodyKind };
  const options = optionParameters(model, `core.v1.${bodyKind}`);
  const place = [...itemParameters({ ...resource, gvk }), ...options];
  const connects = (suffix: string, parameters: readonly Parameter[]): ApiOperation[] =>
    methods.map((method) => ({
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
  if (describedAs.takesPath !== true) return paths;
  const operations = connects('WithPath', [...place, PATH_PARAMETER]);
  return [...paths, { root, path: `${path}/{path}`, operations }];
}
