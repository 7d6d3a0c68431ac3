/** The documents of a file: YAML with any number of them, or JSON, one behind the other. */
import { yamlToJsonText } from '../codec/yaml/yaml-body.ts';
import { containerEnd } from '../semantics/dialect/json-text.ts';

/** A part of a file; without its documents' separators. */
export interface ManifestPart {
  readonly text: string;
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly form: 'yaml' | 'json' | 'separator';
}

/** The bound that YAML has: walks through an object recurse. */
const JSON_DEPTH_MAX = 500;
/** More than a server takes; a larger one would take gigabytes to rewrite. JSON takes little. */
const YAML_CHARACTERS_MAX = 4 * 1024 * 1024;

/** The text has no meaning as YAML or JSON; the message is one line with the line of the file. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

/** Splits a text into parts, which together are the text. */
export function manifestParts(text: string): readonly ManifestPart[] {
  return /^\s*\{/.test(text) ? (jsonParts(text) ?? yamlParts(text)) : yamlParts(text);
}

/** The value of a part; undefined for an empty one. Throws `ManifestError`. */
export function partValue({ text, line, form }: ManifestPart): unknown {
  if (form === 'separator') return undefined;
  const fail = (why: string): never => {
    throw new ManifestError(`line ${line}: ${why}`);
  };
  if (form === 'json') {
    const value: unknown = JSON.parse(text);
    if (isDeeperThan(JSON_DEPTH_MAX, value)) fail(`exceeded max depth of ${JSON_DEPTH_MAX}`);
    return value;
  }
  if (text.length > YAML_CHARACTERS_MAX) fail('a YAML document is larger than 4 MiB');
  if (text.split('\n').every((one) => /^[ \t]*(?:#|$)/.test(one))) return undefined;
  try {
    return JSON.parse(yamlToJsonText(text));
  } catch (error) {
    const [message = ''] = (error as Error).message.split('\n');
    throw new ManifestError(
      message.replace(/line (\d+)/, (_, inPart: string) => `line ${Number(inPart) + line - 1}`),
    );
  }
}

function isDeeperThan(depthMax: number, value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return true;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
  }
  return false;
}

/** Undefined where it is not JSON after all. */
function jsonParts(text: string): readonly ManifestPart[] | undefined {
  const parts: ManifestPart[] = [];
  let at = 0;
  let line = 1;
  const push = (end: number, form: ManifestPart['form']): void => {
    if (end > at) parts.push({ text: text.slice(at, end), line, form });
    line += text.slice(at, end).split('\n').length - 1;
    at = end;
  };
  while (at < text.length) {
    const start = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
    push(start, 'separator');
    if (at === text.length) break;
    if (text[at] !== '{') return undefined;
    const end = containerEnd(text, at);
    try {
      JSON.parse(text.slice(at, end));
    } catch {
      return undefined;
    }
    push(end, 'json');
  }
  return parts;
}

const SEPARATOR = /^(?:---|\.\.\.)[ \t]*(?:#.*)?\r?$/;
/** The document begins in the line of its separator. */
const BEGINNING = /^---[ \t]/;

function yamlParts(text: string): readonly ManifestPart[] {
  const parts: ManifestPart[] = [];
  const lines = text.split('\n');
  let from = 0;
  const push = (to: number, form: ManifestPart['form']): void => {
    if (to <= from) return;
    const isLast = to === lines.length;
    const part = lines.slice(from, to).join('\n');
    parts.push({ text: isLast ? part : `${part}\n`, line: from + 1, form });
    from = to;
  };
  lines.forEach((line, index) => {
    const isSeparator = SEPARATOR.test(line);
    if (isSeparator || BEGINNING.test(line)) push(index, 'yaml');
    if (isSeparator) push(index + 1, 'separator');
  });
  push(lines.length, 'yaml');
  return parts;
}
