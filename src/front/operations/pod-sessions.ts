/** Commands in containers, and ports of pods: sessions with the agent of the pod's node. */
import { badRequest } from '../../semantics/errors/status.ts';
import { openFakeSession } from '../agents/fake-session.ts';
import { openSession } from '../agents/open-session.ts';
import type { Query } from '../requests/query.ts';
import { admittedConnection } from './admit.ts';
import { agentOf, containerOf } from './node-agent.ts';
import type { Pod } from './node-agent.ts';
import type { Operation } from '../operation.ts';
import { getStored, PODS } from './shard-requests.ts';

/** The options of a session; those that are not asked for are absent. */
interface SessionOptions {
  readonly stdin?: true;
  readonly stdout?: true;
  readonly stderr?: true;
  readonly tty?: true;
  readonly container?: string;
  readonly command?: readonly string[];
  readonly ports?: readonly number[];
}

/** The flags of a session, with the names that the agent has for them. */
const STREAMS = [
  ['stderr', 'error'],
  ['stdin', 'input'],
  ['stdout', 'output'],
  ['tty', 'tty'],
] as const;

interface SessionKind {
  /** The name that the agent has for the session. */
  readonly place: 'exec' | 'attach' | 'portForward';
  /** The kind of its options. */
  readonly kind: string;
  readonly optionsOf: (query: Query) => SessionOptions;
}

export const podExec: Operation = sessionOf({
  place: 'exec',
  kind: 'PodExecOptions',
  optionsOf: (query) => ({ ...streamsOf(query), command: query.all('command') }),
});
export const podAttach: Operation = sessionOf({
  place: 'attach',
  kind: 'PodAttachOptions',
  optionsOf: streamsOf,
});
export const podPortForward: Operation = sessionOf({
  place: 'portForward',
  kind: 'PodPortForwardOptions',
  optionsOf: (query) => {
    const ports = query.all('ports').filter((port) => port !== '');
    return ports.length === 0 ? {} : { ports: ports.join(',').split(',').map(Number) };
  },
});

function streamsOf(query: Query): SessionOptions {
  const on = STREAMS.filter(([flag]) => query.flag(flag)).map(([flag]) => [flag, true] as const);
  const container = query.text('container');
  return { ...Object.fromEntries(on), ...(container !== '' && { container }) };
}

/** As the agent is asked. */
function parametersOf(options: SessionOptions): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const command of options.command ?? []) parameters.append('command', command);
  for (const [flag, name] of STREAMS) if (options[flag] === true) parameters.set(name, '1');
  const { ports = [] } = options;
  if (ports.length > 0) parameters.set('port', ports.join(','));
  return parameters;
}

function sessionOf({ place, kind, optionsOf }: SessionKind): Operation {
  return {
    methods: ['get', 'post'],
    describedAs: { kind: { kind }, action: 'connect' },
    passesOn: true,
    serve: async (request) => {
      const { exchange, route, shards } = request;
      const { namespace, name } = route;
      const options = await admittedConnection(request, kind, optionsOf(exchange.query));
      const podNow = (): Promise<Pod> => getStored<Pod>(shards, PODS, namespace, name);
      const pod = await podNow();
      const asked = options.container ?? '';
      const container = place === 'portForward' ? '' : `/${containerOf(pod, asked)}`;
      const nodeName = pod.spec?.nodeName ?? '';
      if (nodeName === '') throw badRequest(`pod ${name} does not have a host assigned`);
      const agent = await agentOf(request, nodeName);
      if (exchange.head.upgrade === undefined) throw badRequest('Upgrade request required');
      if (agent === 'fake') {
        if (place === 'portForward')
          throw badRequest(`no port of pod ${name} is open: it is a fake`);
        return openFakeSession(request, { pod, podNow, command: options.command });
      }
      const parameters = parametersOf(options).toString();
      const query = parameters === '' ? '' : `?${parameters}`;
      await openSession(request, agent, `/${place}/${namespace}/${name}${container}${query}`);
    },
  };
}
