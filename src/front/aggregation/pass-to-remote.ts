/**
 * Passes a request on to the server that answers for its group version: with who asks in headers
 * that the server believes, since this one shows its certificate (src/aggregation/README.md).
 */
import type { IncomingMessage } from 'node:http';
import type { RemoteApi } from '../../aggregation/remote-api.ts';
import type { Upstream, Upstreams } from '../../aggregation/upstreams.ts';
import { userHeaders } from '../../aggregation/user-headers.ts';
import { joinHostPort } from '../../base/dial-error.ts';
import { isLongRunning } from '../../observability/long-requests.ts';
import { allottedTimeIsOver, StatusError } from '../../semantics/errors/status.ts';
import { AgentError, askAgent, type AgentAnswer } from '../agents/agent-client.ts';
import type { TerminatedRequest } from '../metrics/request-metrics.ts';
import { openSession } from '../agents/open-session.ts';
import { passAnswer } from '../agents/pass-answer.ts';
import { escaped, escapedQuery } from '../agents/pass-request.ts';
import { passedHeaders } from '../agents/passed-headers.ts';
import { passedRequest } from '../agents/passed-request.ts';
import type { Header } from '../answers/header-text.ts';
import { sendHashed, whenMade } from '../documents/send-document.ts';
import { REMOTE_ANSWER_MS_MAX, REMOTE_DISCOVERY_ANSWER_MS_MAX } from '../limits.ts';
import type { PackedDocument } from '../openapi/document-pack.ts';
import type { PassedRequest } from '../operation.ts';
import type { RequestContext } from '../request-context.ts';
import { redirectSession } from '../sessions/redirect-session.ts';
import type { StageTools } from '../stages/stage.ts';
import type { Ending } from '../transport/stream-writer.ts';
import type { RemoteVersion } from '../discovery/discovered-groups.ts';

const UNAVAILABLE = 'service unavailable';
const REDIRECTED = 'the backend attempted to redirect this request, which is not permitted';
/** Headers by which servers behind a proxy know what was asked for. */
const FORWARDED: ReadonlySet<string> = new Set([
  'x-forwarded-uri',
  'x-forwarded-host',
  'x-forwarded-proto',
]);

/** The way to other servers, and what each of them has. */
export interface RemoteServers {
  readonly versions: readonly RemoteVersion[];
  readonly upstreams: Upstreams;
  /** Their redirects are told to nobody. */
  readonly rejectsRedirects: boolean;
}

/**
 * Within the turn of the request, which is answered whatever becomes of it: with the document where
 * one comes that this server has made in the place of the other one.
 */
export function passToRemote(
  request: RequestContext,
  tools: StageTools,
  remote: RemoteServers,
  api: RemoteApi,
  made: Promise<PackedDocument | undefined> | undefined,
): void {
  const { exchange, arrival, user } = request;
  const refuse = (): void => {
    tools.requests.terminated(countedAs(request, remote, api), 503);
    exchange.sendText(503, `${UNAVAILABLE}\n`);
  };
  if (!api.isAvailable && made === undefined) return refuse();
  const { openSessionPort } = exchange.switches;
  const passed = passedRequest(
    {
      exchange,
      saysWhoAsks: tools.saysWhoAsks,
      whenStopped: (end) => tools.whenStopped(request, end),
      redirectSession: () => redirectSession(exchange, openSessionPort),
    },
    arrival,
  );
  const who = userHeaders(user, exchange.has('RemoteRequestHeaderUID'));
  const go = (): void => {
    if (!api.isAvailable) return refuse();
    pass(request, remote, api, { ...passed, headers: [...passed.headers, ...who] }).catch(
      (error: unknown) => {
        if (error instanceof Unresolved) refuse();
        else if (error instanceof Refused) exchange.sendText(error.code, error.message);
        else if (isInOwnWords(error)) request.fail(error);
        else exchange.sendText(503, `${(error as Error).message}\n`);
      },
    );
  };
  if (made === undefined || passed.body !== undefined) return go();
  whenMade(exchange, made, (document) => {
    if (!exchange.open) return;
    if (document === undefined) go();
    else sendHashed(exchange, exchange.head.path, document);
  });
}

/** There is no place where the server could be asked. */
class Unresolved extends Error {
  override readonly name = 'Unresolved';
}

/** What the server answered is not passed on. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly code = 502;
}

/** All other errors are told as text, as the reference does it. */
function isInOwnWords(error: unknown): error is StatusError {
  return error instanceof StatusError && (error.code === 504 || error.code === 302);
}

async function pass(
  request: RequestContext,
  { upstreams, rejectsRedirects }: RemoteServers,
  api: RemoteApi,
  passed: PassedRequest,
): Promise<void> {
  const { exchange } = request;
  const { head } = exchange;
  const upstream = await found(upstreams, api);
  if (!exchange.open) return;
  const { host, port } = upstream;
  const target = { scheme: 'https', host, port, verified: upstream } as const;
  const query = head.query === undefined ? '' : `?${escapedQuery(head.query)}`;
  const path = `${escaped(head.path)}${query}`;
  const headers = forwardedHeaders(request, passed, upstream);
  if (head.upgrade !== undefined) {
    await openSession({ ...passed, headers }, target, path);
    return;
  }
  const { body } = passed;
  const asked = {
    method: head.method.toUpperCase(),
    path,
    headers: [...headers, ...(head.isChunked ? [['Transfer-Encoding', 'chunked'] as const] : [])],
    ...(body !== undefined && { body }),
  };
  const late = deadlineOf(request);
  const cuts: (() => void)[] = [];
  const ask = (): Promise<AgentAnswer> =>
    askAgent(target, asked, (cut) => {
      cuts.push(cut);
      passed.whenGone(cut);
    });
  const asking = ask().catch((error: unknown) => {
    // Nobody has seen it: once more, over another connection.
    if (error instanceof AgentError && error.isStale && body === undefined) return ask();
    throw error;
  });
  const answer = await inTime(asking, late, () => cuts.at(-1)?.()).catch((error: unknown) => {
    if (!(error instanceof AgentError)) throw error;
    throw new Error(`error trying to reach service: ${error.message}`);
  });
  const { message } = answer;
  if (rejectsRedirects && isRedirect(message)) {
    message.destroy();
    throw new Refused(REDIRECTED);
  }
  const ending = endingOf(request, message);
  passAnswer(exchange, message, passedHeaders(message), { ending });
  if (request.attributes.verb !== 'watch') return;
  passed.whenStopped(() => {
    exchange.endStream();
    message.destroy();
  });
  // Who watches is told that it does, before anything happens.
  if (ending !== 'lastByte') exchange.flushHead();
}

async function found(upstreams: Upstreams, api: RemoteApi): Promise<Upstream> {
  try {
    return await upstreams.find(api);
  } catch (error) {
    throw new Unresolved((error as Error).message);
  }
}

/** As a request to that server has them. */
function forwardedHeaders(
  { exchange }: RequestContext,
  { headers }: PassedRequest,
  { host, port }: Upstream,
): Header[] {
  const place = joinHostPort(host, port);
  return [
    ...headers.filter(([name]) => name !== 'host' && name !== 'audit-id' && !FORWARDED.has(name)),
    ['Host', place],
    ['Audit-Id', exchange.auditId],
    ['X-Forwarded-Uri', escaped(exchange.head.path)],
    ['X-Forwarded-Host', place],
    ['X-Forwarded-Proto', 'https'],
  ];
}

/** As a request that was refused is counted: by what the server is known to have. */
function countedAs(
  { attributes, exchange }: RequestContext,
  { versions }: RemoteServers,
  { group, version }: RemoteApi,
): TerminatedRequest {
  const { resource, subresource, namespace, name, verb } = attributes;
  const resources = versions.find(
    (one) => one.group === group && one.version === version,
  )?.resources;
  const known = resources?.find((one) => one.resource === resource);
  const knownPart = known?.subresources?.find((one) => one.subresource === subresource);
  const isMany = verb === 'list' || verb === 'watch';
  return {
    group,
    version,
    resource: known?.resource ?? '',
    subresource: knownPart?.subresource ?? '',
    scope: name !== '' ? 'resource' : namespace === '' ? 'cluster' : 'namespace',
    verb: isMany ? verb.toUpperCase() : exchange.head.method.toUpperCase(),
  };
}

interface Deadline {
  readonly ms: number;
  readonly error: () => Error;
}

/** Undefined for who may wait as long as they like. */
function deadlineOf({ attributes, exchange }: RequestContext): Deadline | undefined {
  const { isResource } = attributes;
  if (!isResource && exchange.head.path.split('/').filter((part) => part !== '').length === 3) {
    const error = (): Error => new AgentError('context deadline exceeded', false);
    return { ms: REMOTE_DISCOVERY_ANSWER_MS_MAX, error };
  }
  if (isLongRunning(attributes)) return undefined;
  return { ms: REMOTE_ANSWER_MS_MAX, error: allottedTimeIsOver };
}

async function inTime<T>(
  work: Promise<T>,
  deadline: Deadline | undefined,
  cut: () => void,
): Promise<T> {
  if (deadline === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(deadline.error());
      cut();
    }, deadline.ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode >= 300 && statusCode <= 399 && headers.location !== undefined;
}

/** What follows the parts of an answer so that its readers have each at once. */
function endingOf(
  { attributes }: RequestContext,
  { statusCode, headers }: IncomingMessage,
): Ending {
  const { 'content-type': type = '', 'content-encoding': packing } = headers;
  if (attributes.verb !== 'watch' || statusCode !== 200 || packing !== undefined) return 'lastByte';
  if (type.startsWith('application/json')) return 'line';
  return type.includes('protobuf') ? 'frames' : 'lastByte';
}
