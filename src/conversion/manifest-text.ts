/** The documents of a file: YAML with any number of them, or JSON, one behind the other. */
import { yamlToJsonText } from '../codec/yaml-body.ts';
import { containerEnd } from '../semantics/dialect/json-text.ts';

/** A part of a file; without its documents' separators. */
export interface ManifestPart {
  readonly text: string;
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly form: 'yaml' | 'json' | 'separator';
}

/** The text has no meaning as YAML or JSON; the message is one line with the line of the file. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

/** All of a text in parts, which together are the text. */
export function manifestParts(text: string): readonly ManifestPart[] {
  return /^\s*\{/.test(text) ? (jsonParts(text) ?? yamlParts(text)) : yamlParts(text);
}

/** What a part says: undefined when there is nothing in it. Throws `ManifestError`. */
export function partValue({ text, line, form }: ManifestPart): unknown {
  if (form === 'separator') return undefined;
  if (form === 'json') return JSON.parse(text);
  if (/^(?:[ \t]*(?:#[^\n]*)?(?:\n|$))*$/.test(text)) return undefined;
  try {
    return JSON.parse(yamlToJsonText(text));
  } catch (error) {
    const [message = ''] = (error as Error).message.split('\n');
    throw new ManifestError(
      message.replace(/line (\d+)/, (_, inPart: string) => `line ${Number(inPart) + line - 1}`),
    );
  }
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
    if (!SEPARATOR.test(line)) return;
    push(index, 'yaml');
    push(index + 1, 'separator');
  });
  push(lines.length, 'yaml');
  return parts;
}
