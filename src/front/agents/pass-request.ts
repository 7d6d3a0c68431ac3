/**
 * A request as a proxy passes it on, and the answer with the places that it names seen from the
 * client.
 */
import { StatusError } from '../../semantics/errors/status.ts';
import type { PassingRequest } from '../operation.ts';
import { joinHostPort } from '../../base/dial-error.ts';
import { AgentError, askAgent } from './agent-client.ts';
import type { Target } from './agent-client.ts';
import { openSession } from './open-session.ts';
import { clientPage } from './page-stream.ts';
import { passAnswer } from './pass-answer.ts';
import { passedHeaders } from './passed-headers.ts';
import { clientLocation } from './proxied-links.ts';

const PROXY_PATH = /^\/api\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy/;

/** Rejects with StatusError 503 when nothing answers. */
export async function passRequest(request: PassingRequest, target: Target): Promise<void> {
  const { exchange, body } = request;
  const { head } = exchange;
  const { prefix, rest } = proxyPath(head.path);
  const query = head.query === undefined ? '' : `?${escapedQuery(head.query)}`;
  if (head.upgrade !== undefined) {
    await openSession(request, target, `${rest === '' ? '/' : escaped(rest)}${query}`);
    return;
  }
  const isRead = head.method === 'get' || head.method === 'head';
  if (rest === '' && isRead) {
    // Relative links of the page that is there mean what is below it.
    exchange.sendPassed(301, [['Location', `${escaped(head.path)}/${query}`]], new Uint8Array(0));
    return;
  }
  const headers = request.headers.filter(([name]) => name !== 'x-forwarded-uri');
  const asked = {
    method: head.method.toUpperCase(),
    path: `${rest === '' ? '/' : escaped(rest)}${query}`,
    headers: [
      ...headers,
      ['X-Forwarded-Uri', escaped(`${prefix}${rest}`)] as const,
      ...(head.isChunked ? [['Transfer-Encoding', 'chunked'] as const] : []),
    ],
    ...(body !== undefined && { body }),
  };
  const answer = await askAgent(target, asked, (cut) => request.whenGone(cut)).catch(
    (error: unknown) => {
      if (!(error instanceof AgentError)) throw error;
      throw unavailable(`error trying to reach service: ${error.message}`);
    },
  );
  const host = headers.find(([name]) => name === 'host')?.[1] ?? '';
  const from = { prefix: escaped(prefix), hosts: [joinHostPort(target.host, target.port), host] };
  const passed = passedHeaders(answer.message)
    .filter(([name]) => !name.toLowerCase().startsWith('access-control-'))
    .map(([name, value]) => {
      return name.toLowerCase() === 'location'
        ? ([name, clientLocation(value, from)] as const)
        : ([name, value] as const);
    });
  passAnswer(exchange, answer.message, passed, { page: clientPage(answer.message, from) });
}

/** The path as it goes into a request. */
export function escaped(path: string): string {
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent);
}

/** Escapes the bytes that the first line of a request cannot have; escaped ones stay so. */
export function escapedQuery(query: string): string {
  return query.replaceAll(/[^!-~]/gu, encodeURIComponent);
}

/** The path up to `proxy`, and what comes after it, without empty segments and dots. */
export function proxyPath(path: string): { readonly prefix: string; readonly rest: string } {
  const end = PROXY_PATH.exec(path)?.[0].length ?? path.length;
  const segments: string[] = [];
  for (const segment of path.slice(end).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  const isFolder = path.length > end && path.endsWith('/') && segments.length > 0;
  const rest = segments.map((segment) => `/${segment}`).join('') + (isFolder ? '/' : '');
  return { prefix: path.slice(0, end), rest: rest === '' && path.length > end ? '/' : rest };
}

/** A 503 without a time to come back after, as the reference says it of backends. */
export function unavailable(message: string): StatusError {
  return new StatusError(503, 'ServiceUnavailable', message);
}
