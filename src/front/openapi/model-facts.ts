/** Facts that definitions need of the model as a whole, and of the served types. */
import type { FieldSchema, SchemaModel } from '../../codec/model/schema-model.ts';
import { KNOWN_VERSIONS } from '../../release/data/known-versions.ts';
import { isIn } from '../../release/life.ts';
import { ownRelease } from '../../release/release.ts';
import type { ServedType } from '../../types/served-types.ts';
import type { VirtualKind } from '../../resources/virtual-kinds.ts';
import { NEUTRAL } from '../../semantics/dialect/dialect.ts';
import { ownDialect, ownGroup } from '../../semantics/dialect/own-names.ts';
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
export const COMMON_KINDS = ['DeleteOptions', 'WatchEvent'] as const;

/** Versions that clients may name in these, served or not. */
const KNOWN = Object.entries(KNOWN_VERSIONS)
  .filter(([, life]) => isIn(life, ownRelease().minor))
  .map(([groupVersion]) => ownVersion(groupVersion));

function ownVersion(groupVersion: string): { readonly group: string; readonly version: string } {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  // Some are of no kind that is served, and not in the table of names.
  return { group: group.replace(NEUTRAL.domain, ownDialect().domain), version };
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
  const sources = sourcesOf(model, served);
  const keyFields = keyFieldsOf(model);
  return {
    kindsOf: (type) => kinds.get(type) ?? [],
    sourceOf: (type) => sources.get(type) ?? type,
    keyDefault: (message, field) =>
      keyFields.has(`${message}.${field.name}`) ? field.default : undefined,
  };
}

/**
 * The messages that versions share with others, by the names under which they are published: all
 * that the message of a kind is made of in its group, if the version has none of that name.
 */
function sourcesOf(model: SchemaModel, served: Served): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  const share = (version: string, message: string | undefined): void => {
    const parts = new Set([message, `${message}List`]);
    for (const part of parts) {
      const { fields } = model.messages[part ?? ''] ?? {};
      if (part === undefined || fields === undefined) continue;
      const published = publishedIn(version, part);
      if (published !== part && model.messages[published] === undefined) {
        sources.set(published, part);
      }
      for (const { type } of fields) if (groupOf(type) === groupOf(version)) parts.add(type);
    }
  };
  for (const { definition, index, group, version } of served.types) {
    const published = messageName(group, version, definition.kind);
    const message = messageAt(definition, index);
    if (message !== undefined && groupOf(message) === groupOf(published)) {
      share(packageOf(published), message);
    } else if (message !== undefined) sources.set(published, message);
  }
  for (const { group, version, kind, message } of served.virtualKinds) {
    if (message !== undefined) share(packageOf(messageName(group, version, kind)), message);
  }
  return sources;
}

/** Messages that versions share although their groups have other versions of the rest. */
const SHARED_MESSAGES: ReadonlySet<string> = new Set([
  'authentication.v1.UserInfo',
  'batch.v1.JobSpec',
]);

/** The name of a message as a version of its group has it: `batch.v1beta1`, `batch.v1.CronJob`. */
export function publishedIn(version: string, message: string): string {
  if (SHARED_MESSAGES.has(message) || groupOf(message) !== groupOf(version)) return message;
  return `${version}${message.slice(packageOf(message).length)}`;
}

/** `batch` of `batch.v1`. */
function groupOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf('.')));
}

function messageAt(definition: ServedType['definition'], index: number): string | undefined {
  if (index === 0) return definition.message;
  return definition.otherVersions?.[index - 1]?.message ?? definition.message;
}

/** `batch.v1` of `batch.v1.CronJob`. */
export function packageOf(type: string): string {
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
    [...types, ...virtualKinds, ...KNOWN].map(({ group, version }) => [
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
