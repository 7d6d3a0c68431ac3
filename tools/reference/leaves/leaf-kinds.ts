/** The kinds whose places are tried, with the objects to begin with. */
import { MODEL } from '../../../test/resources/kind-rules.ts';
import { KINDS } from '../../../src/resources/registry.ts';
import { swapDocument } from '../../../src/semantics/dialect/json-edits.ts';
import { swapUrl } from '../../../src/semantics/dialect/names.ts';
import { catalogueDocument } from '../../../test/support/catalogue.ts';
import type { KindCases } from '../../../test/support/kind-cases.ts';
import type { TestObject } from '../../../test/support/kinds.ts';
import { servedPath, servedResource } from '../../../test/support/served-resource.ts';
import { collections } from '../collections.ts';
import type { Verb } from './leaf-requests.ts';
import { OPERATIONS, REVIEWS, type OperationBody } from './operations.ts';
import { messageShape, placeText, type Shape } from './shapes.ts';
import { collectParts, sortedParts, type Parts } from './valid-objects.ts';

/** Objects in the names of clients, for a name that is free; not all of them are valid. */
export type Candidates = (name: string, namespace: string) => readonly TestObject[];

/** A part that is written through one path: the object itself, or a subresource. */
export interface LeafPart {
  /** '' for the object itself. */
  readonly subresource: string;
  readonly verbs: readonly Verb[];
  readonly shape: Shape;
  /** Which places of the shape are written through it. */
  readonly includes: (path: readonly string[]) => boolean;
  readonly candidates: Candidates;
}

export interface LeafKind {
  readonly kind: string;
  readonly groupVersion: string;
  /** The path of the collection, for a namespace, in the names of clients. */
  readonly path: (namespace: string) => string;
  /** The object itself is the first one. */
  readonly parts: readonly LeafPart[];
}

export const ALL_VERBS = ['create', 'update', 'patch merge', 'apply'] as const;
export const CHANGES = ['update', 'patch merge', 'apply'] as const;

/** Subresources write the places behind these paths. */
const WRITTEN_THROUGH: readonly (readonly [string, string, readonly Verb[]])[] = [
  ['approval', 'status.conditions', CHANGES],
  ['status', 'status', CHANGES],
  ['ephemeralcontainers', 'spec.ephemeralContainers', CHANGES],
  ['finalize', 'spec.finalizers', ['update']],
];

/** Metadata with all that clients may send; owners are noted in a version of the kind. */
export const METADATA = {
  labels: { a: 'b' },
  annotations: { 'example.com/a': 'b' },
  finalizers: ['example.com/a'],
  ownerReferences: [
    {
      apiVersion: 'v1',
      kind: 'Node',
      name: 'a',
      uid: '11111111-1111-4111-8111-111111111111',
      controller: true,
      blockOwnerDeletion: false,
    },
  ],
  managedFields: [
    {
      manager: 'a',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2021-12-07T10:11:12Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } },
      subresource: 'status',
    },
  ],
};

/** Every served version of every kind that is stored and in the catalogue, and the reviews. */
export function leafKinds(
  catalogue: readonly KindCases[],
  includes: (kind: string) => boolean,
): LeafKind[] {
  const known = new Set(catalogue.map(({ kind }) => kind));
  const isKnown = (kind: string): boolean => known.has(kind) && includes(kind);
  const stored = collections('', isKnown).map(({ kind, groupVersion, namespaced }) => {
    const ofKind = catalogue.filter((cases) => cases.kind === kind);
    const ofVersion = ofKind.filter(({ apiVersion }) => apiVersion === groupVersion);
    const files = ofVersion.length > 0 ? ofVersion : ofKind;
    const candidates: Candidates = (name, namespace) => {
      const all = files.flatMap((cases) => {
        return documentsOf({ ...cases, apiVersion: groupVersion }, name, namespace);
      });
      const metadata = { ...all[0].metadata, namespace };
      return namespaced ? [...all, { ...all[0], metadata }] : all;
    };
    const shape = messageShape(MODEL, messageOf(groupVersion, kind));
    const served = servedResource(groupVersion, kind);
    const subresources = [...served.subresources.keys()];
    const parts = [
      ...partsOfObject(shape, candidates, subresources),
      ...OPERATIONS.filter((body) => {
        return body.owner === kind && subresources.includes(body.subresource);
      }).map(operationPart),
    ];
    return { kind, groupVersion, path: pathOf(groupVersion, kind), parts };
  });
  const asked = REVIEWS.filter(({ owner }) => includes(owner)).map((body): LeafKind => ({
    kind: body.owner,
    groupVersion: body.groupVersion,
    path: pathOf(body.groupVersion, body.owner),
    parts: [operationPart(body)],
  }));
  return [...stored, ...asked];
}

/** The object itself, and what of it is written through subresources. */
export function partsOfObject(
  shape: Shape,
  candidates: Candidates,
  subresources: readonly string[],
): LeafPart[] {
  const through = WRITTEN_THROUGH.filter(([name]) => subresources.includes(name));
  const ownerOf = (path: readonly string[]): string => {
    const text = placeText(path);
    const isWithin = (part: string): boolean =>
      text.startsWith(part) && /^($|[.[{])/.test(text.slice(part.length));
    return through.find(([, part]) => isWithin(part))?.[0] ?? '';
  };
  const whole = ['', '', ALL_VERBS] as const;
  return [whole, ...through].map(([subresource, , verbs]) => ({
    subresource,
    verbs,
    shape,
    includes: (path) => ownerOf(path) === subresource,
    candidates,
  }));
}

/** The parts of the objects of all kinds. */
export function insidesOf(kinds: readonly LeafKind[]): Parts {
  const parts = new Map<string, TestObject[]>();
  for (const { shape, candidates } of kinds.flatMap((kind) => kind.parts.slice(0, 1))) {
    for (const document of candidates('a', 'a')) {
      const { metadata: _metadata, ...members } = document;
      collectParts(shape, members, parts);
    }
  }
  // They have what containers have, but for what only those may have.
  const containers = parts.get('core.v1.Container') ?? [];
  const ephemeral = parts.get('core.v1.EphemeralContainer') ?? [];
  parts.set('core.v1.EphemeralContainer', [...ephemeral, ...containers]);
  parts.set('meta.v1.ObjectMeta', [METADATA]);
  return sortedParts(parts);
}

function operationPart({ subresource, verbs, message, document }: OperationBody): LeafPart {
  const shape = messageShape(MODEL, message);
  const candidates: Candidates = (name, namespace) => [document(name, namespace)];
  return { subresource, verbs, shape, includes: () => true, candidates };
}

function pathOf(groupVersion: string, kind: string): (namespace: string) => string {
  return (namespace) => swapUrl(servedPath(servedResource(groupVersion, kind), namespace));
}

function messageOf(groupVersion: string, kind: string): string {
  const [group = '', version = ''] = groupVersion.includes('/')
    ? groupVersion.split('/')
    : ['core', groupVersion];
  const name = `${group.split('.')[0]}.${version}.${kind}`;
  if (MODEL.messages[name] !== undefined) return name;
  // A version that is the same as another one has no message of its own.
  const message = KINDS.find((other) => other.kind === kind)?.message;
  if (message === undefined) throw new Error(`${groupVersion} ${kind} has no message`);
  return message;
}

/** Makes the documents of the rows of a kind, each once. */
function documentsOf(cases: KindCases, name: string, namespace: string): TestObject[] {
  const { kind, minimal, full, invalid, updates = [], statusUpdates = [] } = cases;
  const valid = invalid.filter(([, , causes]) => causes.length === 0);
  const [entry] = METADATA.managedFields;
  const managedFields = [{ ...entry, apiVersion: cases.apiVersion }];
  const changes = [
    [minimal],
    [full],
    [minimal, { metadata: { ...METADATA, managedFields } }],
    ...valid.map(([, change]) => [minimal, change]),
    ...[...updates, ...statusUpdates].flatMap(([, first, second]) => [
      [minimal, first],
      [minimal, first, second],
    ]),
  ];
  const texts = changes.map((members) => {
    const document = catalogueDocument(cases, name, ...members);
    if (kind === 'Event') {
      // Events are of objects in their own namespace.
      const about = cases.apiVersion === 'v1' ? 'involvedObject' : 'regarding';
      document[about] = { ...document[about], namespace };
    }
    const text = swapDocument(kind, JSON.stringify(document));
    // The neutral name of a group that is not one of these servers is not swapped.
    return text.replaceAll('snapshot.storage.cluster.io', 'snapshot.storage.k8s.io');
  });
  const documents = [...new Set(texts)].map((text) => JSON.parse(text) as TestObject);
  return documents.filter(({ metadata }) => Boolean(metadata?.name));
}
