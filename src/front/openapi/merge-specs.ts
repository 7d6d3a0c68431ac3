/**
 * Adds what other servers of the API say of themselves to the document of version 2: a job, for it
 * reads and writes the whole document.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { deepEqual } from '../../base/deep-equal.ts';
import { hashOf, type PackedDocument } from './document-pack.ts';

type Members = Record<string, unknown>;

/** The document of another server, and of which group version it tells. */
export interface RemoteSpec {
  /** `/apis/metrics.example.com/v1beta1`. */
  readonly root: string;
  /** JSON. */
  readonly text: string;
}

export interface MergeJob {
  /** The document of this server. */
  readonly zipped: Uint8Array;
  /** Those that come first win where two tell of one path. */
  readonly specs: readonly RemoteSpec[];
}

export interface MergedSpecs extends PackedDocument {
  /** JSON of what was added: members of a document. */
  readonly added: string;
}

interface Document extends Members {
  paths: Members;
  definitions: Members;
  parameters?: Members;
}

const GROUP_VERSION_KINDS = 'x-kubernetes-group-version-kind';
const REFERENCE = /^#\/(definitions|parameters)\/(.+)$/;
const SECTIONS = ['definitions', 'parameters'] as const;
type Section = (typeof SECTIONS)[number];

/** Throws SyntaxError where a document is no JSON. */
export function mergeSpecs({ zipped, specs }: MergeJob): MergedSpecs {
  const merged = JSON.parse(gunzipSync(zipped).toString()) as Document;
  const added: Record<'paths' | Section, Members> = { paths: {}, definitions: {}, parameters: {} };
  for (const { root, text } of specs) {
    const part = partBelow(JSON.parse(text) as Partial<Document>, root, merged.paths);
    const names = new Map(SECTIONS.map((section) => [section, new Map<string, string>()]));
    for (const section of SECTIONS) {
      for (const [name, value] of Object.entries(part[section])) {
        const known = freeName(merged[section], name, value);
        names.get(section)?.set(name, known.name);
        if (known.isThere) part[section][name] = undefined;
      }
    }
    const rename = (section: string, name: string): string =>
      names.get(section as Section)?.get(name) ?? name;
    add(merged, added, 'paths', part.paths, (path) => path, rename);
    for (const section of SECTIONS) {
      add(merged, added, section, part[section], (name) => rename(section, name), rename);
    }
  }
  const text = JSON.stringify(merged);
  const given = Object.entries(added).filter(([, members]) => Object.keys(members).length > 0);
  return {
    zipped: gzipSync(text),
    hash: hashOf(text),
    added: JSON.stringify(Object.fromEntries(given)),
  };
}

type Rename = (section: string, name: string) => string;

function add(
  merged: Document,
  added: Record<'paths' | Section, Members>,
  section: 'paths' | Section,
  members: Members,
  nameOf: (name: string) => string,
  rename: Rename,
): void {
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    const renamed = withReferences(value, rename);
    (merged[section] ??= {})[nameOf(name)] = renamed;
    added[section][nameOf(name)] = renamed;
  }
}

/** The paths below a root that nobody has yet, and all that they refer to. */
function partBelow(
  { paths = {}, definitions = {}, parameters = {} }: Partial<Document>,
  root: string,
  known: Members,
): Record<'paths' | Section, Members> {
  const all: Record<Section, Members> = { definitions, parameters };
  const found: Record<'paths' | Section, Members> = { paths: {}, definitions: {}, parameters: {} };
  for (const [path, item] of Object.entries(paths)) {
    if (path.startsWith(`${root}/`) && !Object.hasOwn(known, path)) found.paths[path] = item;
  }
  const waiting: unknown[] = [found.paths];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    eachReference(value, (section, name) => {
      if (Object.hasOwn(found[section], name) || !Object.hasOwn(all[section], name)) return;
      found[section][name] = all[section][name];
      waiting.push(all[section][name]);
    });
  }
  return found;
}

/** The name under which it stands, or may: two servers may mean different things by one. */
function freeName(
  known: Members | undefined,
  name: string,
  value: unknown,
): { readonly name: string; readonly isThere: boolean } {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_v${number}`;
    if (known === undefined || !Object.hasOwn(known, candidate)) {
      return { name: candidate, isThere: false };
    }
    if (deepEqual(withoutKinds(known[candidate]), withoutKinds(value))) {
      return { name: candidate, isThere: true };
    }
  }
}

function withoutKinds(value: unknown): unknown {
  const { [GROUP_VERSION_KINDS]: _kinds, ...rest } = value as Members;
  return rest;
}

function eachReference(value: unknown, take: (section: Section, name: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const match = key === '$ref' && typeof member === 'string' ? REFERENCE.exec(member) : null;
    if (match === null) eachReference(member, take);
    else take(match[1] as Section, unescaped(match[2] ?? ''));
  }
}

function withReferences(value: unknown, rename: Rename): unknown {
  if (Array.isArray(value)) return value.map((one) => withReferences(one, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const match = key === '$ref' && typeof member === 'string' ? REFERENCE.exec(member) : null;
      if (match === null) return [key, withReferences(member, rename)];
      const [, section = '', name = ''] = match;
      return [key, `#/${section}/${escapedName(rename(section, unescaped(name)))}`];
    }),
  );
}

/** A name as it stands in a JSON pointer, without its escapes. */
export function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

function escapedName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
