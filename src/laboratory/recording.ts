/**
 * The form of a recording (README.md#recordings): lines of JSON, in the order in which things
 * happened. The first line says what it is.
 */
export const RECORDING = 'shardplane-recording';
export const RECORDING_VERSION = 1;

/** Text as it is, other bytes in base64. */
export type Content = { readonly text: string } | { readonly base64: string };

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly user: string;
  readonly groups: readonly string[];
  readonly userAgent: string;
  readonly contentType: string;
  readonly accept: string;
  readonly verb: string;
  readonly body: Content;
}

/** A line after the first; `n` is the number of the request, `ms` when it was since the begin. */
export type RecordedLine = { readonly n: number; readonly ms: number } & (
  | { readonly request: RecordedRequest }
  | {
      readonly answer: {
        readonly code: number;
        readonly headers: Readonly<Record<string, string>>;
      };
    }
  | { readonly part: Content }
  | { readonly end: 'complete' | 'cut' }
);

/** The bytes of a body or an answer. */
export function contentOf(bytes: Uint8Array): Content {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = buffer.toString();
  return Buffer.from(text).equals(buffer) ? { text } : { base64: buffer.toString('base64') };
}

export function bytesOf(content: Content): Buffer {
  return 'text' in content ? Buffer.from(content.text) : Buffer.from(content.base64, 'base64');
}

const MASKED = Buffer.from('masked').toString('base64');
const NOTHING: Content = { text: '' };

/** A body or answer about Secrets without their values; what is no JSON is left out. */
export function masked(content: Content): Content {
  if (!('text' in content) || content.text === '') return NOTHING;
  try {
    const lines = content.text.split('\n').map((line) => (line === '' ? line : maskedLine(line)));
    return { text: lines.join('\n') };
  } catch {
    return maskedWhole(content.text);
  }
}

function maskedLine(line: string): string {
  return JSON.stringify(JSON.parse(line), maskMember);
}

/** Indented for people, or in parts. */
function maskedWhole(text: string): Content {
  try {
    return { text: maskedLine(text) };
  } catch {
    return NOTHING;
  }
}

function maskMember(name: string, value: unknown): unknown {
  // An applied Secret stands in an annotation as well.
  if (name === 'annotations' && isObject(value)) return withMasked(value, /last-applied/, '');
  if ((name === 'data' || name === 'stringData') && isObject(value)) {
    return withMasked(value, /^/, name === 'data' ? MASKED : 'masked');
  }
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function withMasked(
  members: Record<string, unknown>,
  names: RegExp,
  value: string,
): Record<string, unknown> {
  const entries = Object.entries(members);
  return Object.fromEntries(entries.map(([name, old]) => [name, names.test(name) ? value : old]));
}
