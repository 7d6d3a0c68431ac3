/** Media types of requests and answers (SPEC Media types and content negotiation). */
import { notAcceptable, StatusError, unsupportedMediaType } from '../semantics/status.ts';
import type { BodyFormat, PatchType } from '../shard/shard-protocol.ts';

const BODY_TYPES = ['application/json', 'application/yaml'] as const;

const PATCH_TYPES: ReadonlyMap<string, PatchType> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  ['application/strategic-merge-patch+json', 'strategic'],
  ['application/apply-patch+yaml', 'apply'],
]);

const JSON_RANGES: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*']);

/** How the body is written; throws StatusError 415. An absent Content-Type is JSON. */
export function bodyFormat(contentType: string): BodyFormat {
  const mediaType = withoutParameters(contentType).toLowerCase();
  if (mediaType === '' || mediaType === 'application/json') return 'json';
  if (mediaType === 'application/yaml') return 'yaml';
  throw unsupportedMediaType(BODY_TYPES);
}

/**
 * How the body changes the object (API-FACTS 5.1). Throws StatusError 415 as the reference's router
 * does: for an absent Content-Type too, and without a list of what there is.
 */
export function patchTypeOf(contentType: string): PatchType {
  const patchType = PATCH_TYPES.get(withoutParameters(contentType));
  if (patchType !== undefined) return patchType;
  throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

function withoutParameters(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim();
}

const LEFT_BRACE = 0x7b;

/** Whether a body that may be YAML begins like a JSON object, which is YAML too. */
export function startsAsJsonObject(body: Uint8Array): boolean {
  let at = 0;
  while (isJsonSpace(body[at])) at++;
  return body[at] === LEFT_BRACE;
}

function isJsonSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Passes when one clause of `Accept` takes plain JSON; throws StatusError 406. */
export function checkAccept(accept: string): void {
  if (accept === '' || accept === 'application/json' || accept === '*/*') return;
  for (const clause of accept.split(',')) {
    const [range = '', ...parameters] = clause.split(';').map((part) => part.trim().toLowerCase());
    if (!JSON_RANGES.has(range)) continue;
    const refused = parameters.some(
      (parameter) =>
        parameter.startsWith('as=') ||
        /^q=0(\.0*)?$/.test(parameter) ||
        (parameter.startsWith('stream=') && parameter !== 'stream=watch'),
    );
    if (!refused) return;
  }
  throw notAcceptable();
}

const PRETTY_AGENTS = ['curl', 'Wget', 'Mozilla/5.0'] as const;

/** Whether people read the answer: the query decides, else the User-Agent (API-FACTS 3.8). */
export function wantsPretty(parameter: string | undefined, userAgent: string): boolean {
  if (parameter !== undefined) return parameter !== 'false' && parameter !== '0';
  return PRETTY_AGENTS.some((agent) => userAgent.startsWith(agent));
}
