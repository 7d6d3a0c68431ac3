/** Random bodies of PATCH: patches of what is there, directives, paths and owners at random. */
import { stringify } from 'yaml';
import type { TestObject } from './kinds.ts';
import { garbage, mutated, oneOf, parseTree, textOf, treeOf, type JsonNode } from './mutate.ts';
import { PATCH_TYPES, type PatchType } from './send-patch.ts';
import type { Random } from './random.ts';

export interface PatchCase {
  readonly body: string | Buffer;
  readonly contentType: string;
  /** The parameters of the query. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** The parts that make a patch. */
interface Material {
  /** JSON of an object of the kind. */
  readonly text: string;
  /** The object as it is now; undefined when there is none. */
  readonly live: TestObject;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Whether the client says who owns what. */
  readonly namesOwners: boolean;
}

const TYPES = ['json', 'merge', 'strategic', 'apply'] as const;
const MANAGERS = ['one', 'two', 'three', 'client', 'kubectl'] as const;
const LARGE = 300_000;
const POINTERS_MAX = 2_000;
/** A deeper document is not patched: patches would make it ever deeper. */
const LEVELS_MAX = 500;

export function randomPatch(random: Random, material: Material): PatchCase {
  const type = oneOf(TYPES, random);
  const text = BODIES[type](random, material);
  const isYaml = type === 'apply' && random.below(2) === 0;
  const body = random.below(40) === 0 ? garbage(text, random) : isYaml ? yamlOf(text) : text;
  const isForced = type === 'apply' && random.below(2) === 0;
  return {
    body,
    contentType: PATCH_TYPES[type],
    parameters: [
      ['fieldManager', oneOf(MANAGERS, random)],
      ...(isForced ? [['force', 'true'] as const] : []),
    ],
  };
}

/**
 * Gives the same as YAML, where a number that JavaScript cannot hold does not make that impossible.
 */
function yamlOf(json: string): string {
  if (json.length > LARGE) return json;
  try {
    return stringify(JSON.parse(json), { version: '1.1' });
  } catch {
    return json;
  }
}

type BodyOf = (random: Random, material: Material) => string;

const BODIES: Readonly<Record<PatchType, BodyOf>> = {
  json: jsonPatch,
  merge: (random, material) => mergeText(random, material, () => undefined),
  strategic: (random, material) => mergeText(random, material, addDirective),
  apply: applyText,
};

/** Some members of an object, changed, with what `add` puts into one place or the other. */
function mergeText(
  random: Random,
  { text, live, namesOwners }: Material,
  add: (node: JsonNode, random: Random) => void,
): string {
  const tree = live !== undefined && random.below(3) === 0 ? treeOf(live) : parsedTree(text);
  if (tree.kind !== 'object') return text;
  tree.members = tree.members.filter(([name]) => name !== 'metadata' || random.below(4) === 0);
  for (let count = random.below(4); count > 0; count -= 1)
    add(oneOf(nodesIn(tree), random), random);
  // A version, a name or a uid in a patch would get most of them refused.
  const metadata = tree.members.find(([name]) => name === 'metadata')?.[1];
  if (metadata?.kind === 'object') {
    const kept = ['labels', 'annotations', 'finalizers', 'ownerReferences'];
    metadata.members = metadata.members.filter(([name]) => kept.includes(name));
  }
  if (namesOwners && random.below(3) === 0) {
    tree.members.push(['metadata', treeOf({ managedFields: randomOwners(random, live) })]);
  }
  return random.below(4) === 0 ? mutated(tree, random) : textOf(tree);
}

function applyText(random: Random, material: Material): string {
  const { text, live, apiVersion, kind, name, namesOwners } = material;
  const tree = live !== undefined && random.below(3) === 0 ? treeOf(live) : parsedTree(text);
  if (tree.kind !== 'object') return text;
  const names = ['apiVersion', 'kind', 'metadata'];
  const members = tree.members.filter(([member]) => !names.includes(member));
  // Few members, so that managers differ, and not what makes every one of them be refused.
  const some = members.filter(([member]) => member !== 'status' || random.below(4) === 0);
  const metadata = {
    name,
    ...(random.below(2) === 0 && { labels: { [`l-${random.below(3)}`]: `v${random.below(3)}` } }),
    ...(random.below(3) === 0 && { finalizers: [`example.com/f${random.below(3)}`] }),
    ...(namesOwners && random.below(8) === 0 && { managedFields: randomOwners(random, live) }),
  };
  tree.members = [
    ['apiVersion', treeOf(apiVersion)],
    ['kind', treeOf(kind)],
    ['metadata', treeOf(metadata)],
    ...some,
  ];
  return random.below(3) === 0 ? mutated(tree, random) : textOf(tree);
}

function parsedTree(text: string): JsonNode {
  try {
    return isDeep(text) ? treeOf({}) : parseTree(text);
  } catch {
    return treeOf({});
  }
}

/** By the brackets of the text, also those in strings. */
export function isDeep(text: string): boolean {
  let levels = 0;
  for (const [bracket] of text.matchAll(/[[{}\]]/g)) {
    levels += bracket === '[' || bracket === '{' ? 1 : -1;
    if (levels > LEVELS_MAX) return true;
  }
  return false;
}

/** All parts of a tree, which may be deep. */
function nodesIn(tree: JsonNode): JsonNode[] {
  const nodes = [tree];
  for (const node of nodes) {
    if (node.kind === 'list') for (const item of node.items) nodes.push(item);
    if (node.kind === 'object') for (const [, value] of node.members) nodes.push(value);
  }
  return nodes;
}

const DIRECTIVES = ['merge', 'replace', 'delete', 'unknown', '', 1, null, {}, []] as const;
const ODD_LISTS = [
  [],
  ['a', 'b'],
  [{ name: 'a' }],
  [null],
  [[]],
  'a',
  null,
  {},
  [1, 'a', {}],
] as const;

/** A directive, mostly one that fits the members that are there. */
function addDirective(node: JsonNode, random: Random): void {
  if (node.kind === 'list') {
    node.items.push(treeOf({ $patch: oneOf(DIRECTIVES, random), name: 'a' }));
    return;
  }
  if (node.kind !== 'object') return;
  const names = node.members.map(([name]) => name);
  const name = names.length === 0 ? 'a' : oneOf(names, random);
  const value = node.members.find(([member]) => member === name)?.[1] ?? treeOf([]);
  const fitting = value.kind === 'list' && random.below(3) > 0 ? value : undefined;
  const list = fitting ?? treeOf(oneOf(ODD_LISTS, random));
  const directives: readonly (readonly [string, JsonNode])[] = [
    ['$patch', treeOf(oneOf(DIRECTIVES, random))],
    ['$retainKeys', random.below(3) > 0 ? treeOf(names) : treeOf(oneOf(ODD_LISTS, random))],
    [`$setElementOrder/${name}`, list],
    [`$deleteFromPrimitiveList/${name}`, list],
    ['$setElementOrder', list],
    ['$deleteFromPrimitiveList/', list],
  ];
  const [member, node2] = oneOf(directives, random);
  node.members.push([member, node2]);
}

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test', 'other', ''] as const;
const ODD_PATHS = [
  ['', '/', '//', 'a', '/__proto__', '/constructor/prototype/a', '/metadata/labels/__proto__'],
  ['/-', '/metadata/finalizers/-', '/metadata/finalizers/0', '/spec/99999999999999999999'],
  ['/spec/-1', '/spec/01', '/~', '/~2', '/~01~1', '/metadata/annotations/a~1b', '/metadata/uid'],
  ['/metadata/labels', '/metadata/labels/a', '/metadata/annotations', '/spec', '/status', '/data'],
].flat();
const VALUES = [null, true, 0, 1, -1.5, '', 'a', [], {}, ['a'], { a: 'b' }, { '': {} }] as const;

function jsonPatch(random: Random, { text, live, namesOwners }: Material): string {
  const pointers = live === undefined ? [] : pointersIn(live);
  const paths = pointers.filter(
    (path) => namesOwners || (path !== '/metadata' && !path.includes('/managedFields')),
  );
  const path = (): string =>
    oneOf(random.below(4) === 0 ? ODD_PATHS : [...ODD_PATHS, ...paths], random);
  const nodes = nodesIn(parsedTree(text));
  const operations = Array.from({ length: 1 + random.below(4) }, () => {
    const value = random.below(2) === 0 ? oneOf(nodes, random) : treeOf(oneOf(VALUES, random));
    const at = path();
    return treeOf({
      op: oneOf(OPERATIONS.slice(0, random.below(8) === 0 ? undefined : 6), random),
      path: at === '' && !namesOwners ? '/spec' : at,
      from: path(),
      value: JSON.parse(random.below(4) === 0 ? 'null' : safeText(value)) as unknown,
    });
  });
  if (namesOwners && random.below(3) === 0) {
    const value = randomOwners(random, live);
    operations.push(treeOf({ op: 'add', path: '/metadata/managedFields', value }));
  }
  const list: JsonNode = { kind: 'list', items: operations };
  return random.below(6) === 0 && namesOwners ? mutated(list, random) : textOf(list);
}

/** JSON that JavaScript reads, of which there is not too much. */
function safeText(node: JsonNode): string {
  const text = textOf(node);
  return text.length > LARGE || isDeep(text) ? 'null' : text;
}

/** The first pointers of a document, which may be deep. */
function pointersIn(document: TestObject): string[] {
  const found: [pointer: string, value: TestObject][] = [['', document]];
  for (const [prefix, value] of found) {
    if (typeof value !== 'object' || value === null) continue;
    if (found.length > POINTERS_MAX) break;
    for (const [name, member] of Object.entries(value)) {
      found.push([`${prefix}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, member]);
    }
  }
  return found.slice(1).map(([pointer]) => pointer);
}

const ELEMENTS = [
  ['f:metadata', 'f:labels', 'f:a', 'f:spec', 'f:status', 'f:data', 'f:', 'f:__proto__', 'f:x'],
  ['k:{"name":"a"}', 'k:{}', 'k:', 'k:[]', 'k:{"a":1,"b":"x"}', 'v:"a"', 'v:1', 'v:', 'v:{"a":1}'],
  ['i:0', 'i:-1', 'i:x', 'i:99999999999999999999', '.', '', 'x:a', 'f', '__proto__'],
].flat();

function randomFields(random: Random, depth: number): Record<string, unknown> {
  const length = depth > 0 ? random.below(4) : 0;
  const members = Array.from({ length }, () => {
    const value = random.below(10) === 0 ? oneOf(VALUES, random) : randomFields(random, depth - 1);
    return [oneOf(ELEMENTS, random), value] as const;
  });
  return Object.fromEntries(members);
}

/** Makes managedFields as a client might send them: of the object that is there, or made up. */
function randomOwners(random: Random, live: TestObject): unknown {
  const entries: TestObject[] = live?.metadata?.managedFields ?? [];
  switch (random.below(6)) {
    case 0:
      return oneOf([[{}], [], null, 'a', [null], [{ manager: 'a' }]], random);
    case 1:
      return JSON.parse(mutatedOrSame(entries, random)) as unknown;
    case 2:
      return entries.toReversed().slice(random.below(3));
    default:
      return Array.from({ length: 1 + random.below(3) }, () => ({
        manager: oneOf(MANAGERS, random),
        operation: oneOf(['Apply', 'Update', 'Update', 'Other', ''], random),
        apiVersion: oneOf([live?.apiVersion ?? 'v1', 'v1', 'apps/v1', 'none/v9', ''], random),
        time: oneOf(['2026-01-01T00:00:00Z', null, undefined], random),
        fieldsType: oneOf(['FieldsV1', 'FieldsV1', 'FieldsV1', 'Other', ''], random),
        fieldsV1: randomFields(random, 4),
        ...(random.below(4) === 0 && { subresource: oneOf(['status', 'scale', 'x'], random) }),
      }));
  }
}

function mutatedOrSame(value: unknown, random: Random): string {
  const text = mutated(treeOf(value), random);
  try {
    JSON.parse(text);
    return text.length > LARGE || isDeep(text) ? '[]' : text;
  } catch {
    return '[]';
  }
}
