/** The head of an answer: its status, the headers that all answers have, and those of this one. */
import type { Header } from './agents/agent-client.ts';
import type { ClientResponse } from './http.ts';
import { statusLine } from './status-line.ts';
import { warningValues } from './warning.ts';

export interface AnswerHead {
  readonly auditId: string;
  /** Besides the common ones, or in the place of them. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Texts of `Warning` headers. */
  readonly warnings?: readonly string[] | undefined;
}

/** Writes the head of an answer of this server's own. */
export function writeHead(
  response: ClientResponse,
  code: number,
  type: string,
  retryAfterSeconds: number,
  { auditId, headers, warnings }: AnswerHead,
): void {
  response
    .writeStatus(statusLine(code))
    .writeHeader('Audit-Id', auditId)
    .writeHeader('Cache-Control', headers?.['Cache-Control'] ?? 'no-cache, private')
    .writeHeader('Content-Type', type);
  if (type.startsWith('text/')) response.writeHeader('X-Content-Type-Options', 'nosniff');
  if (retryAfterSeconds > 0) response.writeHeader('Retry-After', String(retryAfterSeconds));
  if (headers !== undefined) {
    for (const [name, value] of Object.entries(headers)) {
      if (name !== 'Cache-Control') response.writeHeader(name, value);
    }
  }
  if (warnings === undefined) return;
  for (const value of warningValues(warnings)) response.writeHeader('Warning', value);
}

/** Writes the head of an answer that another server has given. */
export function writePassedHead(
  response: ClientResponse,
  code: number,
  passed: readonly Header[],
  { auditId, headers }: AnswerHead,
): void {
  response
    .writeStatus(statusLine(code))
    .writeHeader('Audit-Id', auditId)
    .writeHeader('Cache-Control', 'no-cache, private');
  for (const [name, value] of [...Object.entries(headers ?? {}), ...passed]) {
    response.writeHeader(name, value);
  }
}
