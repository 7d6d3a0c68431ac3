/** The history of a server as its clients saw it: writes and their answers, and all changes. */
import type { TestObject } from '../../test/support/kinds.ts';
import type { Random } from '../../test/support/random.ts';

const GROUP = 'cuts.example.com';
export const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';

export interface WrittenType {
  readonly name: string;
  /** The path of its collection. */
  readonly path: string;
  /** An object, which says when it was written. */
  readonly object: (name: string, stamp: string, random: Random) => TestObject;
}

function configMapLike(apiVersion: string, kind: string): WrittenType['object'] {
  return (name, stamp, random) => ({
    apiVersion,
    kind,
    metadata: { name, annotations: { stamp } },
    data: { text: fillerOf(random) },
  });
}

/** Some are short, some are compressed, some take pages of their own. */
function fillerOf(random: Random): string {
  const length = random.pick([100, 100, 3_000, 30_000]);
  let text = '';
  while (text.length < length) text += random.below(2 ** 31).toString(36);
  return text;
}

/** In logs of their own, and in the one that custom types share. */
export const TYPES: readonly [WrittenType, ...WrittenType[]] = [
  {
    name: 'configmaps',
    path: '/api/v1/namespaces/default/configmaps',
    object: configMapLike('v1', 'ConfigMap'),
  },
  {
    name: 'podtemplates',
    path: '/api/v1/namespaces/default/podtemplates',
    object: (name, stamp) => ({
      metadata: { name, annotations: { stamp } },
      template: { spec: { containers: [{ name: 'c', image: 'nginx' }] } },
    }),
  },
  {
    name: 'parts',
    path: `/apis/${GROUP}/v1/namespaces/default/parts`,
    object: configMapLike(`${GROUP}/v1`, 'Part'),
  },
];

export const DEFINITION: TestObject = {
  apiVersion: 'apiextensions.cluster.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `parts.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'parts', kind: 'Part' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
};

/** A change of an object, as a watch told it. */
export interface Change {
  readonly version: number;
  readonly key: string;
  readonly isDeletion: boolean;
  /** The object, with what the server has added. */
  readonly text: string;
}

/** A write that was answered. */
export interface Answered {
  readonly type: string;
  readonly key: string;
  /** 0 of a deletion, whose answer may say the one before. */
  readonly version: number;
  readonly sentNs: bigint;
  readonly answeredNs: bigint;
}

/** A version that somebody was shown. */
export interface Shown {
  readonly version: number;
  readonly timeNs: bigint;
}

/** The history of a type: its first objects, by key, and all that came after them. */
export interface TypeHistory {
  readonly first: ReadonlyMap<string, string>;
  /** The version of the list that it was seen in. */
  readonly firstVersion: number;
  readonly changes: Change[];
}

export interface History {
  /** By the name of the type. */
  readonly types: Map<string, TypeHistory>;
  readonly answered: Answered[];
  readonly shown: Shown[];
  /** When a server was ready for the first time. */
  readyNs: bigint | undefined;
  token: string;
}

/** The version that a write has made. */
export function versionOf({ types, answered }: History, write: Answered): number {
  if (write.version > 0) return write.version;
  const { type, key } = write;
  const before = answered
    .slice(0, answered.indexOf(write))
    .findLast((one) => one.type === type && one.key === key && one.version > 0);
  const deletion = types
    .get(type)
    ?.changes.find(
      (one) => one.key === key && one.isDeletion && one.version > (before?.version ?? 0),
    );
  // Nobody saw it: it was answered just before the server was killed.
  return deletion?.version ?? Infinity;
}

/** Objects in a list, by key. */
export function objectsOf(list: TestObject): ReadonlyMap<string, string> {
  return new Map(list.items.map((item: TestObject) => [item.metadata.name, textOf(item)]));
}

/** Writes an object alike, be it in a list or in an event. */
export function textOf({ apiVersion: _version, kind: _kind, ...object }: TestObject): string {
  return JSON.stringify(object);
}
