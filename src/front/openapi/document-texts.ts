/** The rest of a document besides paths and definitions, and how more of these are added to it. */
import { ownRelease } from '../../release/release.ts';
import type { ApiPath } from './api-paths.ts';
import { pathItemV2, pathItemV3 } from './path-items.ts';
import type { Definition, Flavour } from './references.ts';

const INFO = { title: 'shardplane', version: ownRelease().version };

const BEARER_TOKEN = {
  description: 'A bearer token',
  type: 'apiKey',
  name: 'authorization',
  in: 'header',
};
const SECURITY = [{ BearerToken: [] }];

type Members = Readonly<Record<string, unknown>>;

/** Paths and definitions of a document, or of a part of one. */
export interface DocumentPart {
  readonly paths: Members;
  readonly definitions: Members;
}

/** Makes the paths and definitions of a document of this version. */
export function documentPart(
  paths: readonly ApiPath[],
  definitions: Iterable<Definition>,
  flavour: Flavour,
): DocumentPart {
  const item = flavour === 'v2' ? pathItemV2 : pathItemV3;
  const members = Array.from(definitions, ({ name, schema }) => [name, schema] as const);
  return {
    paths: Object.fromEntries(paths.map((path) => [path.path, item(path)])),
    definitions: Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Its text begins with the paths and ends with the definitions: others can be added to both. */
export function documentOf({ paths, definitions }: DocumentPart, flavour: Flavour): object {
  if (flavour === 'v2') {
    const securityDefinitions = { BearerToken: BEARER_TOKEN };
    return {
      paths,
      swagger: '2.0',
      info: INFO,
      securityDefinitions,
      security: SECURITY,
      definitions,
    };
  }
  const components = { securitySchemes: { BearerToken: BEARER_TOKEN }, schemas: definitions };
  return { paths, openapi: '3.0.0', info: INFO, security: SECURITY, components };
}

const PATHS_START = '{"paths":{'.length;
const DEFINITIONS_END: Readonly<Record<Flavour, number>> = { v2: '}}'.length, v3: '}}}'.length };
const OPENING = '{'.charCodeAt(0);
const CLOSING = '}'.charCodeAt(0);

/** The members of a part as text, between commas; empty for none. */
export interface PartText {
  readonly paths: string;
  readonly definitions: string;
}

export function textOfPart({ paths, definitions }: DocumentPart): PartText {
  const members = (of: Members): string => JSON.stringify(of).slice(1, -1);
  return { paths: members(paths), definitions: members(definitions) };
}

/** The text of a document with those of other parts, without reading it. */
export function withParts(
  document: Uint8Array,
  parts: readonly PartText[],
  flavour: Flavour,
): Uint8Array {
  const joined = (texts: readonly string[]): string => texts.filter((one) => one !== '').join(',');
  const paths = joined(parts.map((part) => part.paths));
  const definitions = joined(parts.map((part) => part.definitions));
  const end = document.length - DEFINITIONS_END[flavour];
  const hasPaths = document[PATHS_START] !== CLOSING;
  const hasDefinitions = document[end - 1] !== OPENING;
  return Buffer.concat([
    document.subarray(0, PATHS_START),
    Buffer.from(paths !== '' && hasPaths ? `${paths},` : paths),
    document.subarray(PATHS_START, end),
    Buffer.from(definitions !== '' && hasDefinitions ? `,${definitions}` : definitions),
    document.subarray(end),
  ]);
}
