/** The resources of a type as discovery lists them (src/front/README.md#discovery). */
import { createHash } from 'node:crypto';
import { ownRelease } from '../../release/release.ts';
import type { KindDefinition } from '../../resources/kind.ts';
import { referenceStorage, type KindInVersion } from '../../resources/kind-lives.ts';
import type { ServedType } from '../../types/served-types.ts';
import type { VirtualKind } from '../../resources/virtual-kinds.ts';
import { subresourceOperation } from '../operations/operations.ts';
import type { DefinitionFacts, VersionFacts } from '../../types/custom/definition-facts.ts';
import type { Verb } from '../requests/route.ts';

/** One entry of an `APIResourceList`, with its members in the order in which they are written. */
export interface ApiResource {
  /** `pods`, or `pods/status`. */
  readonly name: string;
  /** Older releases name none for built-in kinds. */
  readonly singularName: string;
  readonly namespaced: boolean;
  /** With `version`: where the kind belongs, when that is not the group version of the list. */
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  /** Sorted, but for custom types. */
  readonly verbs: readonly Verb[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Clients see by it that objects have come to be stored in another version. */
  readonly storageVersionHash?: string;
}

/** The kind of the bodies of a subresource. */
type BodyKind = Pick<ApiResource, 'group' | 'version' | 'kind'>;

const ALL_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];
const WRITABLE_PART: readonly Verb[] = ['get', 'patch', 'update'];
const WRITE_ONLY_PART: readonly Verb[] = ['update'];

/** The verbs of custom types, in the order in which the reference tells them. */
const CUSTOM_VERBS: readonly Verb[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];
/** The verbs of a type that is being removed: its remaining objects are read and deleted. */
const TERMINATING_VERBS: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'watch'];

const NAMES_SINGULARS = ownRelease().has('singularNames');

const SCALE: BodyKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** Methods that discovery has a verb for: HEAD and OPTIONS of a proxy have none. */
const VERB_OF_METHOD: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ['delete', 'delete'],
  ['get', 'get'],
  ['patch', 'patch'],
  ['post', 'create'],
  ['put', 'update'],
]);

/** The resource of a type and its subresources, in no order. */
export function typeResources({ definition }: ServedType): ApiResource[] {
  const { plural, kind, namespaced, shortNames, categories } = definition;
  const verbs =
    definition.deletesCollection === false
      ? ALL_VERBS.filter((verb) => verb !== 'deletecollection')
      : ALL_VERBS;
  const resource: ApiResource = {
    name: plural,
    singularName: singularOf(kind),
    namespaced,
    kind,
    verbs,
    ...(shortNames !== undefined && { shortNames }),
    ...(categories !== undefined && { categories }),
    storageVersionHash: storageVersionHash(definition),
  };
  return [resource, ...partResources(definition), ...operationResources(definition)];
}

/** The resource of a custom type in a version and its subresources, in their order. */
export function customResources(
  { group, scope, names, versions, isTerminating }: DefinitionFacts,
  { hasStatus, scale }: VersionFacts,
): ApiResource[] {
  const { plural, singular, kind, shortNames, categories } = names;
  const type = { plural, namespaced: scope === 'Namespaced' };
  const { name: version = '' } = versions.find(({ storage }) => storage) ?? {};
  return [
    {
      name: plural,
      singularName: singular,
      namespaced: type.namespaced,
      kind,
      verbs: isTerminating ? TERMINATING_VERBS : CUSTOM_VERBS,
      ...(shortNames.length > 0 && { shortNames }),
      ...(categories.length > 0 && { categories }),
      storageVersionHash: storageVersionHash({ group, version, kind }),
    },
    ...(hasStatus ? [subresource(type, 'status', { kind }, WRITABLE_PART)] : []),
    ...(scale === undefined ? [] : [subresource(type, 'scale', SCALE, WRITABLE_PART)]),
  ];
}

/** The resource of a kind that is never stored. */
export function virtualResource(virtual: VirtualKind): ApiResource {
  const { plural, kind, namespaced, verbs, shortNames } = virtual;
  return {
    name: plural,
    singularName: singularOf(kind),
    namespaced,
    kind,
    verbs: verbs.toSorted(),
    ...(shortNames !== undefined && { shortNames }),
  };
}

function singularOf(kind: string): string {
  return NAMES_SINGULARS ? kind.toLowerCase() : '';
}

function partResources(definition: KindDefinition): ApiResource[] {
  const { kind, statusSubresource, scaleSelector, parts = {} } = definition;
  const resources: ApiResource[] = [];
  if (statusSubresource !== undefined) {
    resources.push(subresource(definition, 'status', { kind }, WRITABLE_PART));
  }
  if (scaleSelector !== undefined) {
    resources.push(subresource(definition, 'scale', SCALE, WRITABLE_PART));
  }
  for (const [name, { readable }] of Object.entries(parts)) {
    const verbs = readable ? WRITABLE_PART : WRITE_ONLY_PART;
    resources.push(subresource(definition, name, { kind }, verbs));
  }
  return resources;
}

function operationResources(definition: KindDefinition): ApiResource[] {
  return (definition.operations ?? []).map((name) => {
    const operation = `${definition.plural}/${name}`;
    const { methods, describedAs } = subresourceOperation(operation);
    const verbs = methods.flatMap((method) => VERB_OF_METHOD.get(method) ?? []);
    return subresource(definition, name, describedAs.kind, verbs.toSorted());
  });
}

function subresource(
  { plural, namespaced }: Pick<KindDefinition, 'plural' | 'namespaced'>,
  name: string,
  body: BodyKind,
  verbs: readonly Verb[],
): ApiResource {
  return { name: `${plural}/${name}`, singularName: '', namespaced, ...body, verbs };
}

/** The hash of the version that the reference stores, whichever version is asked for. */
function storageVersionHash(view: KindInVersion): string {
  const { group, kind } = view;
  const stored = `${group}/${referenceStorage(view)}/${kind}`;
  const digest = createHash('sha256').update(stored).digest();
  return digest.subarray(0, 8).toString('base64');
}
