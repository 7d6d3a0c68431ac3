/**
 * Requests to node agents, pods and endpoints: one connection each, whose answer is a message or,
 * where the agent agrees to another protocol, its bare connection. Certificates are not verified,
 * as in the reference when it is given no authority for them. Those of other servers of the API
 * are, and connections to them are kept.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import type { Upstream } from '../../aggregation/upstreams.ts';
import { dialErrorText, joinHostPort } from '../../base/dial-error.ts';
import { NODE_DIAL_MS_MAX } from '../limits.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { serverFailure } from '../../semantics/errors/status.ts';
import type { StatusError } from '../../semantics/errors/status.ts';
import { asBytes, asText, type Header } from '../answers/header-text.ts';
import { knownAs } from './look-up.ts';

/** Lower codes say that an answer is still to come, and were not asked for. */
const STATUS_MIN = 200;
const PORT_MAX = 65_535;

/** Who is asked: what was checked is what is connected to. */
export interface Target {
  readonly scheme: 'http' | 'https';
  /** An address in its one form, or a name (`dialedHost`). */
  readonly host: string;
  readonly port: number;
  /** The addresses of the name, where they were checked: it is not looked up again. */
  readonly addresses?: readonly string[];
  /** Its certificate is verified, and the connection may be used again. */
  readonly verified?: Pick<Upstream, 'secure' | 'failureText'>;
}

export interface AgentRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body?: Readable;
  /** The protocols that the agent may agree to; '' when absent. */
  readonly upgrade?: string;
}

export interface AgentAnswer {
  readonly message: IncomingMessage;
  /** The connection and what has come on it already, after an agreement on another protocol. */
  readonly upgraded?: { readonly connection: Duplex; readonly head: Uint8Array };
}

/** The request could not be made, or was not answered; `isDial` when no connection was there. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly isDial: boolean;
  /** A connection that was kept had been closed meanwhile: nobody has seen the request. */
  readonly isStale: boolean;

  constructor(message: string, isDial: boolean, isStale = false) {
    super(message);
    this.isDial = isDial;
    this.isStale = isStale;
  }
}

/**
 * Rejects with AgentError, and with StatusError 500 for an agreement on what was not asked for.
 * `onStarted` is given what cuts the request, whatever stands it is in,
 * its upgraded connection included.
 */
export function askAgent(
  target: Target,
  { method, path, headers, body, upgrade = '' }: AgentRequest,
  onStarted: (cut: () => void) => void,
): Promise<AgentAnswer> {
  const { scheme } = target;
  return new Promise((resolve, reject) => {
    const options = {
      ...placeOf(target),
      method,
      path,
      headers: headers.flatMap(([name, value]) => [name, asBytes(value)]),
      agent: false as const,
      rejectUnauthorized: false,
      setHost: false,
      ...target.verified?.secure,
    };
    // Not imported: that would load Node's HTTP client with each start.
    const client = process.getBuiltinModule(scheme === 'https' ? 'node:https' : 'node:http');
    const request = client.request(options);
    let isConnected = false;
    const late = setTimeout(() => {
      reject(lateError(target));
      request.destroy();
    }, NODE_DIAL_MS_MAX);
    request.on('socket', (socket) => {
      if (request.reusedSocket) {
        isConnected = true;
        clearTimeout(late);
        return;
      }
      socket.on(scheme === 'https' ? 'secureConnect' : 'connect', () => {
        isConnected = true;
        clearTimeout(late);
        socket.setNoDelay(true);
      });
    });
    request.on('response', (message) => {
      const { statusCode = 0 } = message;
      if (statusCode >= STATUS_MIN) return resolve({ message });
      request.destroy();
      reject(new AgentError(`malformed HTTP status code "${statusCode}"`, false));
    });
    request.on('upgrade', (message, connection, head) => {
      onStarted(() => connection.destroy());
      const refusal = switchRefusal(upgrade, message);
      if (refusal === undefined) return resolve({ message, upgraded: { connection, head } });
      connection.destroy();
      reject(refusal);
    });
    request.on('error', (error) => {
      clearTimeout(late);
      reject(failure(error, target, isConnected, request.reusedSocket));
    });
    onStarted(() => cut(request, late));
    if (body === undefined) request.end();
    else body.pipe(request);
  });
}

function placeOf({ host, port, addresses }: Target) {
  if (port < 1 || port > PORT_MAX) {
    throw new AgentError(`dial tcp: address ${port}: invalid port`, true);
  }
  return { host, port, ...(addresses && { lookup: knownAs(addresses) }) };
}

/** Undefined where the agent has agreed to what it was asked for. */
function switchRefusal(asked: string, { headers }: IncomingMessage): StatusError | undefined {
  const { upgrade: agreed = '' } = headers;
  const protocols = asked.toLowerCase().split(',');
  if (protocols.some((protocol) => protocol.trim() === agreed.toLowerCase())) return undefined;
  const [theirs, ours] = [asText(agreed), asked].map(quoteText);
  return serverFailure(`backend tried to switch protocol ${theirs} when ${ours} was requested`);
}

/** One attempt to connect, closed at once. Rejects with AgentError when nobody listens. */
export function reach(target: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...placeOf(target), timeout: NODE_DIAL_MS_MAX });
    socket.on('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.on('timeout', () => {
      socket.destroy();
      reject(lateError(target));
    });
    socket.on('error', (error) => reject(dialError(error, target)));
  });
}

function lateError({ host, port }: Target): AgentError {
  return new AgentError(`dial tcp ${joinHostPort(host, port)}: i/o timeout`, true);
}

function cut(request: ClientRequest, late: NodeJS.Timeout): void {
  clearTimeout(late);
  request.destroy();
}

function failure(
  error: NodeJS.ErrnoException,
  target: Target,
  isConnected: boolean,
  isReused: boolean,
): AgentError {
  const { verified } = target;
  if (verified === undefined) return isConnected ? brokenOff(error) : dialError(error, target);
  const text = verified.failureText(error, isConnected);
  return new AgentError(text, !isConnected, isReused && error.code === 'ECONNRESET');
}

function brokenOff(error: NodeJS.ErrnoException): AgentError {
  const text = error.code === 'ECONNRESET' ? 'EOF' : error.message;
  return new AgentError(text, false);
}

function dialError(error: NodeJS.ErrnoException, { host, port }: Target): AgentError {
  return new AgentError(dialErrorText(error, host, port), true);
}
