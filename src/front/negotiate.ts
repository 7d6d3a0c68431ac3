/** Media types of requests and answers (SPEC Media types and content negotiation). */
import type { BodyFormat } from '../shard/shard-protocol.ts';
import { notAcceptable, unsupportedMediaType } from '../semantics/status.ts';

const BODY_TYPES = ['application/json', 'application/yaml'] as const;

const JSON_RANGES: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*']);

/** How the body is written; throws StatusError 415. An absent Content-Type is JSON. */
export function bodyFormat(contentType: string): BodyFormat {
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType === '' || mediaType === 'application/json') return 'json';
  if (mediaType === 'application/yaml') return 'yaml';
  throw unsupportedMediaType(BODY_TYPES);
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
