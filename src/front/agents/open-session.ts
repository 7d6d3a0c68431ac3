/**
 * A session in another protocol between a client and an agent. The agent is asked first: its
 * refusal is the client's answer, and its choice of a subprotocol too. From then on bytes, or
 * messages of WebSockets, are passed on in both directions until either side ends it.
 */
import { serverFailure } from '../../semantics/errors/status.ts';
import type { PassedRequest } from '../operation.ts';
import { asksForWebSocket, handshakeRefusal, withoutTokens } from '../websocket/handshake.ts';
import type { HandshakeRefusal, UpgradeHead } from '../websocket/handshake.ts';
import { AgentError, askAgent, reach } from './agent-client.ts';
import type { AgentAnswer, AgentRequest, Target } from './agent-client.ts';
import type { Header } from '../answers/header-text.ts';
import { headerLines } from '../answers/header-lines.ts';
import { passAnswer } from './pass-answer.ts';
import { passedHeaders } from './passed-headers.ts';
import { passBytes, passMessages, passTunnel } from './pass-messages.ts';
import type { Upgraded } from './pass-messages.ts';
import { CHANNELS_V5, STREAMS_V4, translateSession } from './translate-session.ts';
import { refuseHandshake } from '../websocket/refuse-handshake.ts';

/** A client of ports offers to speak this protocol inside of a WebSocket. */
const TUNNEL_PREFIX = 'SPDY/3.1+';

const BAD_REQUEST: HandshakeRefusal = { code: 400, text: '', headers: {} };

/** Rejects with StatusError. */
export async function openSession(
  request: PassedRequest,
  target: Target,
  path: string,
): Promise<void> {
  const { exchange } = request;
  const { upgrade } = exchange.head;
  if (asksForWebSocket(upgrade) && exchange.switches.takeConnection === undefined) {
    const refusal = handshakeRefusal(upgrade);
    if (refusal !== undefined) refuseHandshake(exchange, refusal);
    else if (exchange.switches.openWebSocket === undefined) refuseHandshake(exchange, BAD_REQUEST);
    else await openWebSocketSession(request, target, path, upgrade);
    return;
  }
  if (exchange.switches.takeConnection === undefined) {
    await reach(target).catch(failDial);
    await request.redirectSession();
    return;
  }
  const answer = await ask(request, target, path, upgrade?.asked ?? '', request.headers);
  const upgraded = agreed(request, answer);
  if (upgraded === undefined) return;
  const { message } = answer;
  const agreement = headerLines(
    [['Connection', 'Upgrade']],
    [['Upgrade', message.headers.upgrade ?? ''], ...passedHeaders(message)],
  );
  request.whenStopped(() => upgraded.connection.destroy());
  const client = exchange.takeConnection();
  if (client === undefined) upgraded.connection.destroy();
  else passBytes(client, agreement, upgraded);
}

async function openWebSocketSession(
  request: PassedRequest,
  target: Target,
  path: string,
  upgrade: UpgradeHead,
): Promise<void> {
  const subprotocols = withoutTokens(upgrade.subprotocols);
  const tunnel = subprotocols.find((name) => name.startsWith(TUNNEL_PREFIX));
  if (tunnel !== undefined) {
    const answer = await askForSpdy(request, target, path, tunnel.slice(TUNNEL_PREFIX.length));
    const upgraded = agreed(request, answer);
    if (upgraded !== undefined) passTunnel(request, upgraded, tunnel);
    return;
  }
  if (subprotocols.includes(CHANNELS_V5)) {
    const answer = await askForSpdy(request, target, path, STREAMS_V4);
    const upgraded = agreed(request, answer);
    if (upgraded !== undefined) translateSession(request, upgraded);
    return;
  }
  const { key, version } = upgrade;
  const answer = await ask(request, target, path, 'websocket', [
    ...withoutHandshake(request),
    ['Sec-WebSocket-Key', key],
    ['Sec-WebSocket-Version', version],
    ...(subprotocols.length === 0
      ? []
      : ([['Sec-WebSocket-Protocol', subprotocols.join(', ')]] as const)),
  ]);
  const upgraded = agreed(request, answer);
  const chosen = answer.message.headers['sec-websocket-protocol'] ?? '';
  if (upgraded !== undefined) passMessages(request, upgraded, String(chosen));
}

function withoutHandshake({ headers }: PassedRequest): readonly Header[] {
  return headers.filter(([name]) => !name.startsWith('sec-websocket-'));
}

/** The client speaks WebSocket, and the agent is asked for streams. */
function askForSpdy(
  request: PassedRequest,
  target: Target,
  path: string,
  version: string,
): Promise<AgentAnswer> {
  const headers = [...withoutHandshake(request), ['X-Stream-Protocol-Version', version] as const];
  return ask(request, target, path, 'SPDY/3.1', headers);
}

function ask(
  request: PassedRequest,
  target: Target,
  path: string,
  upgrade: string,
  headers: readonly Header[],
): Promise<AgentAnswer> {
  const method = request.exchange.head.method.toUpperCase();
  const asked: AgentRequest = {
    method,
    path,
    upgrade,
    headers: [
      // A body would be bytes of the other protocol, and so would be the end of one.
      ...headers.filter(([name]) => name !== 'content-length'),
      ...(method === 'GET' ? [] : [['Content-Length', '0'] as const]),
      ['Connection', 'Upgrade'],
      ['Upgrade', upgrade],
    ],
  };
  return askAgent(target, asked, (cut) => request.whenGone(cut)).catch(failDial);
}

function failDial(error: unknown): never {
  if (!(error instanceof AgentError)) throw error;
  throw serverFailure(error.isDial ? `error dialing backend: ${error.message}` : error.message);
}

/** Undefined when the agent's refusal has been passed on. Throws for an answer that is neither. */
function agreed(
  { exchange }: PassedRequest,
  { message, upgraded }: AgentAnswer,
): Upgraded | undefined {
  if (upgraded !== undefined) return upgraded;
  const { statusCode = 0 } = message;
  if (statusCode < 400) {
    message.destroy();
    throw serverFailure(`invalid upgrade response: status code ${statusCode}`);
  }
  passAnswer(exchange, message, passedHeaders(message));
  return undefined;
}
