/**
 * Requests of pages in browsers (../README.md#pages-in-browsers). A browser shows a certificate for
 * any page that asks for it: it says nothing of what its owner wants, unless the page is this
 * server's own or one that the options allow.
 */
import type { ClientRequest } from '../http.ts';

/** Whether pages of an origin may use the API. */
export type AllowsOrigin = (origin: string) => boolean;

/** Where the options name none. */
export const ALLOWS_NO_ORIGIN: AllowsOrigin = () => false;

export interface PageRules {
  readonly allowsOrigin: AllowsOrigin;
  /** The value of `Strict-Transport-Security`; '' for none. */
  readonly transportSecurity: string;
}

/** As the reference says them. */
const METHODS = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const HEADERS =
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, ' +
  'If-Modified-Since';
const EXPOSED_HEADERS = 'Date';

/** The headers of answers to a page of an allowed origin. */
export function corsHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers': HEADERS,
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    'Access-Control-Allow-Credentials': 'true',
  };
}

/** Whether a page from elsewhere sends it, which nobody has allowed. Programs say no origin. */
export function isFromForeignPage(
  request: Pick<ClientRequest, 'getHeader'>,
  allowsOrigin: AllowsOrigin,
): boolean {
  const origin = request.getHeader('origin');
  if (origin !== '') {
    return origin !== `https://${request.getHeader('host')}` && !allowsOrigin(origin);
  }
  // Without an origin it is a request that a page can cause, but whose answer it cannot read.
  const site = request.getHeader('sec-fetch-site');
  return site !== '' && site !== 'none' && site !== 'same-origin';
}
