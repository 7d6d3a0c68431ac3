/** Files of manifests, converted: all that stays is written as it was (README.md#comments). */
import {
  convertObject,
  dialectOf,
  unknownVersion,
  type ConvertOptions,
  type Dialect,
} from './convert.ts';
import { inOrderOf } from './json-order.ts';
import { manifestParts, partValue, type ManifestPart } from './manifest-text.ts';
import { isMembers, type Members } from './members.ts';
import { rewriteYaml } from './yaml-rewriter.ts';

export interface ConvertedText {
  readonly text: string;
  /** A line for each, which says of which object. */
  readonly problems: readonly string[];
  /** Lines that are worth knowing and tell of no loss. */
  readonly notes: readonly string[];
  /** The number of objects that are in another version now. */
  readonly converted: number;
}

export type TextOptions = Omit<ConvertOptions, 'dialect'> & {
  /** The dialect of objects whose files do not show it. */
  readonly dialect: Dialect;
};

/** Throws `ManifestError` for text that is not YAML or JSON. */
export function convertText(text: string, options: TextOptions): ConvertedText {
  const dialect = dialectShown(text) ?? dialectOf(options.outputVersion, options.dialect);
  const run = new Run({ ...options, dialect });
  const parts = manifestParts(text).map((part) => run.part(part));
  return { ...run.result, text: parts.join('') };
}

/** The dialect of the first name in a text that only one of them has. */
export function dialectShown(text: string): Dialect | undefined {
  const [, domain] = /\b(cluster|k8s|kubernetes)\.io\b/.exec(text) ?? [];
  if (domain === undefined) return undefined;
  return domain === 'cluster' ? 'cluster.io' : 'k8s.io';
}

class Run {
  readonly result = { problems: [] as string[], notes: [] as string[], converted: 0 };
  readonly #options: ConvertOptions;

  constructor(options: ConvertOptions) {
    this.#options = options;
  }

  part(part: ManifestPart): string {
    const before = partValue(part);
    if (!isMembers(before)) return part.text;
    const after = this.#document(before, part.line);
    if (after === undefined) return part.text;
    const ordered = inOrderOf(before, after);
    if (part.form === 'json') return withLineEndsOf(part.text, jsonLike(part.text, ordered));
    const { text, notes } = rewriteYaml(part.text, before, ordered);
    for (const note of notes) this.result.notes.push(`line ${part.line}: ${note}`);
    return withLineEndsOf(part.text, text);
  }

  /** Undefined when nothing in it changes. */
  #document(document: Members, line: number): Members | undefined {
    const { kind, items } = document;
    if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
      return this.#list(document, kind.slice(0, -'List'.length), items, line);
    }
    const what = `line ${line}: ${nameOf(document)}`;
    const why = unknownVersion(document);
    if (why !== undefined) this.result.problems.push(`${what}: ${why}`);
    const conversion = convertObject(document, this.#options);
    if (conversion === undefined) return undefined;
    const { object, problems } = conversion;
    this.result.converted += 1;
    for (const problem of problems) this.result.problems.push(`${what}: ${problem}`);
    return object;
  }

  /** Items of a list of one kind may leave kind and version to the list. */
  #list(list: Members, kind: string, items: unknown[], line: number): Members | undefined {
    const { apiVersion } = list;
    let version: unknown;
    const after = items.map((item: unknown) => {
      if (!isMembers(item)) return item;
      const whole = kind === '' ? item : { apiVersion, kind, ...item };
      const result = this.#document(whole, line);
      if (result === undefined) return item;
      version = result['apiVersion'];
      for (const name of ['apiVersion', 'kind']) if (!(name in item)) delete result[name];
      return result;
    });
    if (version === undefined) return undefined;
    return { ...list, ...(kind === '' ? {} : { apiVersion: version }), items: after };
  }
}

/** `Deployment shop/web`. */
export function nameOf({ kind, metadata }: Members): string {
  const { namespace, name, generateName } = isMembers(metadata) ? metadata : {};
  const parts = [namespace, name ?? generateName].filter((part) => typeof part === 'string');
  return [String(kind), parts.join('/')].join(' ').trimEnd();
}

function withLineEndsOf(before: string, after: string): string {
  return before.includes('\r\n') ? after.replaceAll(/\r?\n/g, '\r\n') : after;
}

/** JSON that is indented as the text was. */
function jsonLike(text: string, value: unknown): string {
  const indent = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '';
  return JSON.stringify(value, undefined, indent);
}
