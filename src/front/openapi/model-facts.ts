/** Facts that definitions need of the model as a whole, and of the served types. */
import type { FieldSchema, SchemaModel } from '../../codec/model/schema-model.ts';
import type { ServedType } from '../../types/served-types.ts';
import type { VirtualKind } from '../../resources/virtual-kinds.ts';
import { ownDialect, ownGroup, ownGroupVersion } from '../../semantics/dialect/own-names.ts';
import { messageName } from './definition-names.ts';

/** As the extension of the same name has it. */
export interface GroupVersionKind {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
}

/** Kinds of the bodies and answers of subresources, with the groups that they are of. */
const OPERATION_KINDS: readonly GroupVersionKind[] = [
  { group: ownGroup('authentication.cluster.io'), kind: 'TokenRequest', version: 'v1' },
  { group: 'autoscaling', kind: 'Scale', version: 'v1' },
  { group: 'policy', kind: 'Eviction', version: 'v1' },
];
/** Kinds that are the same in all groups. */
const META_KINDS = [
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'Status',
] as const;
/** Kinds that each group version has. */
const COMMON_KINDS = ['DeleteOptions', 'WatchEvent'] as const;

/** Versions that are not served and that clients may name in these all the same. */
const UNSERVED_VERSIONS = [
  ownGroupVersion('admission.cluster.io/v1'),
  ownGroupVersion('admission.cluster.io/v1beta1'),
  ownGroupVersion('admissionregistration.cluster.io/v1beta1'),
  ownGroupVersion('apiextensions.cluster.io/v1beta1'),
  ownGroupVersion('apiregistration.cluster.io/v1beta1'),
  'apps/v1beta1',
  'apps/v1beta2',
  ownGroupVersion('authentication.cluster.io/v1beta1'),
  ownGroupVersion('authorization.cluster.io/v1beta1'),
  ownGroupVersion('certificates.cluster.io/v1beta1'),
  ownGroupVersion('coordination.cluster.io/v1beta1'),
  'extensions/v1beta1',
  ownGroupVersion('flowcontrol.apiserver.cluster.io/v1alpha1'),
  // It is of nobody, and has no name in the table of names.
  `imagepolicy.${ownDialect().domain}/v1alpha1`,
  ownGroupVersion('internal.apiserver.cluster.io/v1alpha1'),
  ownGroupVersion('networking.cluster.io/v1beta1'),
  ownGroupVersion('node.cluster.io/v1alpha1'),
  ownGroupVersion('rbac.authorization.cluster.io/v1alpha1'),
  ownGroupVersion('rbac.authorization.cluster.io/v1beta1'),
  ownGroupVersion('scheduling.cluster.io/v1alpha1'),
  ownGroupVersion('scheduling.cluster.io/v1beta1'),
  ownGroupVersion('storage.cluster.io/v1alpha1'),
];

function unserved(groupVersion: string): { readonly group: string; readonly version: string } {
  const [group = '', version = ''] = groupVersion.split('/');
  return { group, version };
}

export interface ModelFacts {
  /** The kinds that a published message is; none for parts of kinds. */
  kindsOf(type: string): readonly GroupVersionKind[];
  /** The message that a published one is made from. */
  sourceOf(type: string): string;
  /** The value of an absent key in the items of a list; undefined for all other fields. */
  keyDefault(message: string, field: FieldSchema): unknown;
}

export interface Served {
  readonly types: readonly ServedType[];
  readonly virtualKinds: readonly VirtualKind[];
}

/** Looks through the model once. */
export function modelFacts(model: SchemaModel, served: Served): ModelFacts {
  const kinds = kindsByMessage(model, served);
  const sources = new Map<string, string>();
  for (const { definition, index, group, version } of served.types) {
    const message = messageAt(definition, index);
    const { message: stored } = definition;
    if (message === undefined || stored === undefined) continue;
    const published = messageName(group, version, definition.kind);
    // A version with messages of its own shares the others with the stored one.
    const source = message === published ? stored : message;
    if (source !== published) sources.set(packageOf(published), packageOf(source));
  }
  const keyFields = keyFieldsOf(model);
  return {
    kindsOf: (type) => kinds.get(type) ?? [],
    sourceOf: (type) => {
      const source = sources.get(packageOf(type));
      if (source === undefined || model.messages[type] !== undefined) return type;
      return `${source}${type.slice(type.lastIndexOf('.'))}`;
    },
    keyDefault: (message, field) =>
      keyFields.has(`${message}.${field.name}`) ? field.default : undefined,
  };
}

function messageAt(definition: ServedType['definition'], index: number): string | undefined {
  if (index === 0) return definition.message;
  return definition.otherVersions?.[index - 1]?.message ?? definition.message;
}

function packageOf(type: string): string {
  return type.slice(0, Math.max(0, type.lastIndexOf('.')));
}

function kindsByMessage(
  model: SchemaModel,
  { types, virtualKinds }: Served,
): Map<string, readonly GroupVersionKind[]> {
  const named = (group: string, version: string, kind: string): GroupVersionKind => ({
    group,
    kind,
    version,
  });
  const kinds = new Map<string, readonly GroupVersionKind[]>();
  const all = [
    ...types.map(({ group, version, definition: { kind } }) => ({ group, version, kind })),
    ...virtualKinds,
    ...OPERATION_KINDS,
    ...embeddedKinds(model),
  ];
  for (const { group, version, kind } of all) {
    const message = messageName(group, version, kind);
    kinds.set(message, [named(group, version, kind)]);
    kinds.set(`${message}List`, [named(group, version, `${kind}List`)]);
  }
  for (const kind of META_KINDS) kinds.set(`meta.v1.${kind}`, [named('', 'v1', kind)]);
  const versions = new Map(
    [...types, ...virtualKinds, ...UNSERVED_VERSIONS.map(unserved)].map(({ group, version }) => [
      `${group}/${version}`,
      { group, version },
    ]),
  );
  const sorted = [...versions].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, version]) => version);
  for (const kind of COMMON_KINDS) {
    const everywhere = sorted.map(({ group, version }) => named(group, version, kind));
    kinds.set(`meta.v1.${kind}`, everywhere);
  }
  return kinds;
}

/** Kinds that are parts of others: they are kinds even where they are not served. */
function embeddedKinds(model: SchemaModel): readonly GroupVersionKind[] {
  return Object.values(model.messages).flatMap(({ fields }) =>
    fields.flatMap(({ embeddedKind = '' }) => {
      const [kind, version, group = ''] = embeddedKind.split('/').reverse();
      return kind === undefined || version === undefined ? [] : [{ group, kind, version }];
    }),
  );
}

/** The fields that are keys of the lists that their messages are items of. */
function keyFieldsOf(model: SchemaModel): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { fields } of Object.values(model.messages)) {
    for (const { type, listMapKeys = [] } of fields) {
      for (const key of listMapKeys) keys.add(`${type}.${key}`);
    }
  }
  return keys;
}
