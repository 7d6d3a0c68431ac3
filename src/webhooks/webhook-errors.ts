/**
 * Errors of calls of webhooks, in the words of the reference, which are those of the HTTP client
 * that it has.
 */
import { isIP } from 'node:net';
import { dialErrorText, joinHostPort } from '../base/dial-error.ts';
import { quoteText } from '../codec/json/strict-quote.ts';

/** A webhook was not reached, or gave no answer that is one. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  /** The HTTP status of a refusal; 0 where there was no answer. */
  readonly status: number;
  /** The host, where its certificate says whose it is in the old way alone; '' otherwise. */
  readonly unnamedHost: string;

  constructor(message: string, status = 0, unnamedHost = '') {
    super(message);
    this.status = status;
    this.unnamedHost = unnamedHost;
  }
}

/** The code of an error about a certificate that has its name nowhere but in its common name. */
export const COMMON_NAME_ALONE = 'ERR_TLS_CERT_COMMON_NAME';

/** Where a call goes, as the error names it. */
export interface Dialed {
  readonly host: string;
  readonly port: number;
}

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const PLAIN_ANSWER = 'http: server gave HTTP response to HTTPS client';

interface ConnectionError extends NodeJS.ErrnoException {
  /** The server's certificate, where it is for other names. */
  readonly cert?: { readonly subjectaltname?: string };
}

/** Why a connection failed; `isConnected` when it was there before. */
export function connectionErrorText(
  error: ConnectionError,
  { host, port }: Dialed,
  serverName: string,
  isConnected: boolean,
): string {
  const { code = '', message, cert } = error;
  const unverified = (why: string): string => `tls: failed to verify certificate: x509: ${why}`;
  if (UNKNOWN_AUTHORITY.has(code)) return unverified('certificate signed by unknown authority');
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return unverified(`certificate has expired or is not yet valid: ${message}`);
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return unverified(otherNames(cert?.subjectaltname, serverName));
  }
  if (code === COMMON_NAME_ALONE) {
    return unverified('certificate relies on legacy Common Name field, use SANs instead');
  }
  if (code === 'EPROTO' && message.includes('wrong version number')) return PLAIN_ANSWER;
  if (isConnected) return code === 'ECONNRESET' ? 'EOF' : message;
  return dialErrorText(error, host, port);
}

/** `names` as the runtime lists them: `DNS:a.example, IP Address:127.0.0.1`. */
function otherNames(names = '', serverName: string): string {
  const isAddress = isIP(serverName) !== 0;
  const kind = isAddress ? 'IP Address:' : 'DNS:';
  const valid = names.split(', ').filter((name) => name.startsWith(kind));
  const listed = valid.map((name) => name.slice(kind.length)).join(', ');
  if (listed !== '') return `certificate is valid for ${listed}, not ${serverName}`;
  return isAddress
    ? `cannot validate certificate for ${serverName} because it doesn't contain any IP SANs`
    : `certificate is not valid for any names, but wanted to match ${serverName}`;
}

export function lateDialText({ host, port }: Dialed): string {
  return `dial tcp ${joinHostPort(host, port)}: i/o timeout`;
}

/** The texts of statuses whose answers are not told. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504:
    'the server was unable to return a response in the time allotted, ' +
    'but may still be processing the request',
};

/** So much of an answer is told. */
const TOLD_CHARACTERS_MAX = 2_048;

/** The error for an answer whose HTTP status is no success. */
export function refusalText(status: number, body: string, contentType: string | undefined): string {
  const told = messageOfStatus(body);
  if (told !== '') return told;
  const known = STATUS_TEXTS[status];
  if (known !== undefined) return known;
  const isText = contentType === undefined || contentType.startsWith('text/');
  const said = isText ? body.slice(0, TOLD_CHARACTERS_MAX).trim() : 'unknown';
  if (status === 403 || status === 415) return said;
  if (status === 406) {
    const unsaid = said === '' || said === 'unknown';
    return unsaid
      ? 'the server was unable to respond with a content type that the client supports'
      : said;
  }
  if (status < 500) {
    const what = `the server responded with the status code ${status}`;
    return `${what} but did not return more information`;
  }
  return `an error on the server (${quoteText(said)}) has prevented the request from succeeding`;
}

/** The message of a Status document; '' when the answer is none. */
function messageOfStatus(body: string): string {
  try {
    const { kind, apiVersion, message } = JSON.parse(body) as Record<string, unknown>;
    const isStatus = kind === 'Status' && apiVersion === 'v1';
    return isStatus && typeof message === 'string' ? message : '';
  } catch {
    // Most answers of servers that fail are no documents.
    return '';
  }
}
