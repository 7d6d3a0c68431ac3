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

const MASK = 'masked';
const MASK_BYTES = Buffer.from(MASK).toString('base64');
const NOTHING: Content = { text: '' };
/** It holds the object as it was sent. */
const APPLIED = /last-applied-configuration$/;
/** Paths of what holds secrets: objects, and tokens that are given out or asked about. */
const OF_SECRETS = /\/(?:secrets|serviceaccounts\/[^/]+\/token|tokenreviews)(?:[/?]|$)/;

/** Whether what is sent to a URL, or comes from it, may hold secrets. */
export function holdsSecrets(url: string): boolean {
  return OF_SECRETS.test(url);
}

/** A body, answer or lines of events without their secrets; what is no JSON is left out. */
export function masked(content: Content): Content {
  if (!('text' in content) || content.text.trim() === '') return NOTHING;
  const lines = maskedLines([content.text]) ?? maskedLines(content.text.split('\n'));
  return lines === undefined ? NOTHING : { text: lines.join('\n') };
}

function maskedLines(lines: readonly string[]): readonly string[] | undefined {
  try {
    return lines.map((line) => {
      if (line.trim() === '') return line;
      return JSON.stringify(withoutSecrets(JSON.parse(line) as unknown));
    });
  } catch {
    return undefined;
  }
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  // A step of a JSON patch may write any of it.
  const isStep = Object.hasOwn(value, 'op') && Object.hasOwn(value, 'path');
  const members = Object.entries(value) as [string, unknown][];
  return Object.fromEntries(
    members.map(([name, member]) => {
      if (name === 'data' || (isStep && name === 'value')) {
        return [name, withValues(member, MASK_BYTES)];
      }
      if (name === 'stringData') return [name, withValues(member, MASK)];
      if (name === 'token' || APPLIED.test(name)) return [name, MASK];
      return [name, withoutSecrets(member)];
    }),
  );
}

/** All texts below it become the mask. */
function withValues(value: unknown, mask: string): unknown {
  if (typeof value === 'string') return mask;
  if (Array.isArray(value)) return value.map((one) => withValues(one, mask));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value) as [string, unknown][];
  return Object.fromEntries(members.map(([name, member]) => [name, withValues(member, mask)]));
}
