/**
 * Documents of the operator that the reference decodes strictly, and what it says of those that
 * are none: in YAML or JSON, of a kind, with no members but known ones.
 */
import { parseDuration } from '../leaves/duration-text.ts';
import { readYamlText } from './yaml-body.ts';

/** The shape of a member. `type` is how errors call it. */
export type ConfigShape =
  | { readonly holds: 'text' | 'truth' | 'duration' }
  | { readonly holds: 'list'; readonly type: string; readonly of: ConfigShape }
  | {
      readonly holds: 'members';
      readonly type: string;
      readonly members: Readonly<Record<string, ConfigShape>>;
    };

export interface ConfigForm {
  readonly kind: string;
  /** Those that the release reads, as documents name them. */
  readonly groupVersions: readonly string[];
  /** Other kinds of these versions, which are known and not asked for. */
  readonly otherKinds: readonly string[];
  readonly members: Readonly<Record<string, ConfigShape>>;
}

/** A document that cannot be used. */
export class ConfigDocumentError extends Error {
  override readonly name = 'ConfigDocumentError';
}

const HEAD: Readonly<Record<string, ConfigShape>> = {
  apiVersion: { holds: 'text' },
  kind: { holds: 'text' },
};

/** The members of the document; none of an empty text. Throws ConfigDocumentError. */
export function readConfigDocument(
  text: string,
  { kind, groupVersions, otherKinds, members }: ConfigForm,
): object {
  if (text === '') return {};
  const { content, problems } = contentOf(text);
  const { kind: itsKind = '', apiVersion = '' } = content;
  if (itsKind === '') throw new ConfigDocumentError(`Object 'Kind' is missing in '${text}'`);
  if (apiVersion === '') {
    throw new ConfigDocumentError(`Object 'apiVersion' is missing in '${text}'`);
  }
  const isVersion = groupVersions.includes(String(apiVersion));
  if (isVersion && otherKinds.includes(String(itsKind))) {
    throw new ConfigDocumentError(`expected ${kind}, got *apiserver.${String(itsKind)}`);
  }
  if (!isVersion || itsKind !== kind) {
    throw new ConfigDocumentError(
      `no kind "${String(itsKind)}" is registered for version "${String(apiVersion)}" ` +
        'in scheme "pkg/runtime/scheme.go:111"',
    );
  }
  const version = String(apiVersion).split('/').at(-1) ?? '';
  const check = new Check(version);
  check.members(content, { holds: 'members', type: kind, members: { ...HEAD, ...members } }, '');
  const repeated = problems.length > 0 ? [`yaml: unmarshal errors: ${problems.join(' ')}`] : [];
  const found = [...repeated, ...check.unknown];
  if (found.length === 0) return content;
  throw new ConfigDocumentError(`strict decoding error: ${found.join(', ')}`);
}

interface Content {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
}

function contentOf(text: string): { content: Content; problems: readonly string[] } {
  let read: ReturnType<typeof readYamlText>;
  try {
    read = readYamlText(text, true);
  } catch (error) {
    throw new ConfigDocumentError((error as Error).message);
  }
  const content: unknown = JSON.parse(read.json);
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new ConfigDocumentError(
      "couldn't get version/kind; json parse error: " +
        `json: cannot unmarshal ${typeWord(content)} into Go value of type struct ` +
        '{ APIVersion string "json:\\"apiVersion,omitempty\\""; ' +
        'Kind string "json:\\"kind,omitempty\\"" }',
    );
  }
  return { content, problems: read.problems };
}

/** Throws for the first value of another type, and collects the members that are unknown. */
class Check {
  readonly unknown: string[] = [];
  readonly #version: string;

  constructor(version: string) {
    this.#version = version;
  }

  members(value: object, shape: ConfigShape & { holds: 'members' }, path: string): void {
    const all = value as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(all).toSorted()) {
      const its = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
      const where = path === '' ? name : `${path}.${name}`;
      if (its === undefined) this.unknown.push(`unknown field "${where}"`);
      else this.#value(all[name], its, shape.type, where);
    }
  }

  /** `owner` is the type that has the member. */
  #value(value: unknown, shape: ConfigShape, owner: string, path: string): void {
    if (value === null || value === undefined) return;
    const isList = Array.isArray(value);
    if (shape.holds === 'list' && isList) {
      value.forEach((item, at) => this.#value(item, shape.of, owner, `${path}[${at}]`));
    } else if (shape.holds === 'members' && typeof value === 'object' && !isList) {
      this.members(value, shape, path);
    } else if (typeof value !== JSON_TYPES[shape.holds]) {
      const where = `${owner}.${path.replaceAll(/\[\d+\]/g, '')}`;
      throw new ConfigDocumentError(
        `json: cannot unmarshal ${typeWord(value)} into Go struct field ${where} ` +
          `of type ${this.#typeOf(shape)}`,
      );
    } else if (shape.holds === 'duration' && typeof value === 'string') {
      checkDuration(value);
    }
  }

  #typeOf(shape: ConfigShape): string {
    switch (shape.holds) {
      case 'text':
      case 'duration':
        return 'string';
      case 'truth':
        return 'bool';
      case 'list':
        return `[]${shape.of.holds === 'members' ? `${this.#version}.${shape.type}` : 'string'}`;
      case 'members':
        return `${this.#version}.${shape.type}`;
    }
  }
}

const JSON_TYPES = {
  text: 'string',
  duration: 'string',
  truth: 'boolean',
  list: undefined,
  members: undefined,
} as const;

function checkDuration(text: string): void {
  try {
    parseDuration(text);
  } catch (error) {
    throw new ConfigDocumentError((error as Error).message);
  }
}

function typeWord(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
