/** The log of a container, as its node's agent streams it. */
import type { Readable } from 'node:stream';
import { collectBytes } from '../../base/collect-bytes.ts';
import { canonicalTime } from '../../codec/leaves/time-text.ts';
import { gatesOf } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import { AGENT_ERROR_BYTES_MAX } from '../limits.ts';
import {
  fieldForbidden,
  invalid,
  invalidObject,
  NOT_NEGATIVE,
  notSupported,
} from '../../semantics/errors/field-error.ts';
import type { FieldError } from '../../semantics/errors/field-error.ts';
import { badRequest, serverFailure, StatusError } from '../../semantics/errors/status.ts';
import { joinHostPort } from '../../base/dial-error.ts';
import { AgentError, askAgent } from '../agents/agent-client.ts';
import { fakeLog } from '../agents/fake-log.ts';
import { logSocket } from '../agents/log-socket.ts';
import { passBody } from '../agents/pass-answer.ts';
import { checkTakesLog } from '../requests/negotiate.ts';
import type { Query } from '../requests/query.ts';
import { agentOf, containerOf } from './node-agent.ts';
import type { Pod } from './node-agent.ts';
import type { Operation, PassingRequest } from '../operation.ts';
import { getStored, PODS } from './shard-requests.ts';

export const podLog: Operation = {
  methods: ['get'],
  describedAs: { kind: { kind: 'Pod' }, action: 'read', options: 'PodLogOptions' },
  passesOn: true,
  serve: serveLog,
};

async function serveLog(request: PassingRequest): Promise<void> {
  const { exchange, route } = request;
  const { namespace, name } = route;
  checkTakesLog(exchange.head.accept);
  const parameters = logParameters(exchange.query, name, exchange.has(STREAMS));
  const pod = await getStored<Pod>(request.shards, PODS, namespace, name);
  const container = containerOf(pod, exchange.query.text('container'));
  const nodeName = pod.spec?.nodeName ?? '';
  if (nodeName === '') {
    // Nothing has run yet: as the reference, an empty log.
    exchange.sendText(204, '');
    return;
  }
  const agent = await agentOf(request, nodeName);
  if (agent === 'fake') {
    const podNow = (): Promise<Pod> => getStored<Pod>(request.shards, PODS, namespace, name);
    const log = fakeLog(pod, container, parameters, podNow);
    request.whenGone(() => log.destroy());
    passLog(request, log);
    return;
  }
  const where = joinHostPort(agent.host, agent.port);
  const query = parameters === '' ? '' : `?${parameters}`;
  const path = `/containerLogs/${namespace}/${name}/${container}${query}`;
  const asked = { method: 'GET', path, headers: [['Host', where]] } as const;
  const { message } = await askAgent(agent, asked, (cut) => request.whenGone(cut)).catch(
    (error: unknown) => {
      if (!(error instanceof AgentError)) throw error;
      throw serverFailure(`Get ${JSON.stringify(`https://${where}${path}`)}: ${error.message}`);
    },
  );
  const code = message.statusCode ?? 0;
  if (code < 200 || code > 206) {
    const text = (await collectBytes(message, AGENT_ERROR_BYTES_MAX)).toString();
    throw agentRefusal(code, name, text);
  }
  passLog(request, message);
}

function passLog({ exchange, whenStopped }: PassingRequest, log: Readable): void {
  whenStopped(() => {
    exchange.endStream();
    log.destroy();
  });
  const socket = logSocket(exchange);
  if (socket === 'refused') {
    log.destroy();
  } else if (socket === undefined) {
    exchange.beginPassed(200, [['Content-Type', 'text/plain']]);
    passBody(exchange, log);
  } else {
    socket(log);
  }
}

const REFUSALS: ReadonlyMap<number, readonly [reason: string, message: string]> = new Map([
  [401, ['Unauthorized', 'the server has asked for the client to provide credentials']],
  [404, ['NotFound', 'the server could not find the requested resource']],
  [405, ['MethodNotAllowed', 'the server does not allow this method on the requested resource']],
  [409, ['Conflict', 'the server reported a conflict']],
  [422, ['Invalid', 'the server rejected our request due to an error in our request']],
  [
    429,
    [
      'TooManyRequests',
      'the server has received too many requests and has asked us to try again later',
    ],
  ],
  [503, ['ServiceUnavailable', 'the server is currently unable to handle the request']],
  [
    504,
    [
      'Timeout',
      'the server was unable to return a response in the time allotted, ' +
        'but may still be processing the request',
    ],
  ],
]);

/** The error for a client whose request the agent refuses; `text` is what the agent says. */
export function agentRefusal(code: number, name: string, text: string): StatusError {
  if (code === 400) return badRequest(text);
  if (code === 500) {
    const details = { causes: [{ message: text }] };
    return new StatusError(500, 'InternalError', `Internal error occurred: ${text}`, details);
  }
  const [reason, message] = REFUSALS.get(code) ?? unlisted(code, text);
  return new StatusError(code, reason, `${message} ( pods/log ${name})`, {
    name,
    kind: 'pods/log',
  });
}

function unlisted(code: number, text: string): readonly [reason: string, message: string] {
  if (code === 403) return ['Forbidden', text];
  if (code === 406) return ['NotAcceptable', text];
  if (code === 415) return ['UnsupportedMediaType', text];
  if (code < 500) {
    return [
      '',
      `the server responded with the status code ${code} but did not return more information`,
    ];
  }
  const quoted = JSON.stringify(text);
  return [
    'InternalError',
    `an error on the server (${quoted}) has prevented the request from succeeding`,
  ];
}

/** The feature that one of the outputs of a container can be asked for alone. */
const STREAMS = 'PodLogsQuerySplitStreams';
const STREAM_NAMES = ['All', 'Stderr', 'Stdout'];

/** The query for the agent. Throws StatusError 400 or 422. */
export function logParameters(query: Query, name: string, selectsStreams = false): string {
  const parameters = new URLSearchParams();
  for (const flag of ['follow', 'previous', 'timestamps']) {
    if (query.has(flag) && query.flag(flag)) parameters.set(flag, 'true');
  }
  const errors: FieldError[] = [];
  for (const [field, least] of [
    ['limitBytes', 1],
    ['sinceSeconds', 1],
    ['tailLines', 0],
  ] as const) {
    if (query.text(field) === '') continue;
    const value = query.integer(field);
    const detail = least === 1 ? 'must be greater than 0' : NOT_NEGATIVE;
    if (value < least) errors.push(invalid(field, value, detail));
    parameters.set(field, String(value));
  }
  const sinceTime = timeOf(query.text('sinceTime'));
  if (sinceTime !== '') {
    if (parameters.has('sinceSeconds')) {
      const detail = 'at most one of `sinceTime` or `sinceSeconds` may be specified';
      errors.push(fieldForbidden('', detail));
    }
    parameters.set('sinceTime', sinceTime);
  }
  if (selectsStreams) selectStream(query, parameters, errors);
  else if (query.has('stream') && gatesOf(ownRelease()).includes(STREAMS)) {
    errors.push(fieldForbidden('stream', 'may not be specified'));
  }
  if (errors.length > 0) throw invalidObject('', 'PodLogOptions', name, errors);
  parameters.sort();
  return parameters.toString();
}

function selectStream(query: Query, parameters: URLSearchParams, errors: FieldError[]): void {
  const stream = query.has('stream') ? query.text('stream') : 'All';
  if (!STREAM_NAMES.includes(stream)) errors.push(notSupported('stream', stream, STREAM_NAMES));
  if (stream !== 'All' && parameters.has('tailLines')) {
    const detail = '`tailLines` and specific `stream` are mutually exclusive for now';
    errors.push(fieldForbidden('', detail));
  }
  parameters.set('stream', stream);
}

function timeOf(text: string): string {
  if (text === '') return '';
  try {
    return canonicalTime(text);
  } catch (error) {
    throw badRequest((error as Error).message);
  }
}
