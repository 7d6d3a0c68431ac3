/** The paths and operations of custom types (src/front/README.md#custom-types). */
import type { ApiOperation, ApiPath } from './api-paths.ts';
import { customTypeName, type CustomVersion } from './custom-schemas.ts';
import { groupIds } from './operation-ids.ts';
import {
  collectionPath,
  everywherePath,
  itemPath,
  type Resource,
  type Verb,
} from './resource-operations.ts';

const COLLECTION: readonly Verb[] = ['list', 'create', 'deletecollection'];
const ITEM: readonly Verb[] = ['read', 'replace', 'delete', 'patch'];
const PART: readonly Verb[] = ['read', 'replace', 'patch'];

/** Built-in types that paths and definitions of custom types refer to. */
export const CUSTOM_REFERENCES: readonly string[] = [
  'autoscaling.v1.Scale',
  'meta.v1.DeleteOptions',
  'meta.v1.ListMeta',
  'meta.v1.ObjectMeta',
  'meta.v1.Patch',
  'meta.v1.Status',
];

/** Where the documents of a version are: `apis/example.com/v1`. */
export function customRoot({ definition, version }: CustomVersion): string {
  return `apis/${definition.group}/${version.name}`;
}

/** The paths of a type in a version. */
export function customPaths(type: CustomVersion): readonly ApiPath[] {
  const { definition, version } = type;
  const { group, scope, names } = definition;
  const resource: Resource = {
    root: customRoot(type),
    ...groupIds(group, version.name),
    plural: names.plural,
    kind: names.kind,
    namespaced: scope === 'Namespaced',
    message: customTypeName(type, names.kind),
    listMessage: customTypeName(type, names.listKind),
    gvk: { group, kind: names.kind, version: version.name },
    subresource: '',
  };
  const status = { ...resource, subresource: 'status' };
  const scale = { ...resource, subresource: 'scale', message: 'autoscaling.v1.Scale' };
  const paths = [
    collectionPath(resource, COLLECTION),
    itemPath(resource, ITEM),
    ...(resource.namespaced ? [everywherePath(resource)] : []),
    ...(version.hasStatus ? [itemPath(status, PART)] : []),
    ...(version.scale === undefined ? [] : [itemPath(scale, PART)]),
  ];
  return paths.map((path) => ({ ...path, operations: path.operations.map(inTextForms) }));
}

/** Objects of custom types have no binary form, and no strategic merge patches. */
function inTextForms(operation: ApiOperation): ApiOperation {
  const { consumes, responses } = operation;
  const isPatch = consumes === 'patch';
  const { 201: _created, ...ofPatch } = responses;
  return {
    ...operation,
    consumes: isPatch ? 'customPatch' : 'text documents',
    produces: 'text documents',
    responses: isPatch ? ofPatch : responses,
  };
}
