/** Commands in containers, and ports of pods: sessions with the agent of the pod's node. */
import { badRequest } from '../../semantics/status.ts';
import { openSession } from '../agents/open-session.ts';
import type { Query } from '../query.ts';
import { agentAddress, containerOf } from './node-agent.ts';
import type { Pod } from './node-agent.ts';
import type { Operation } from './operation.ts';
import { getStored, PODS } from './shard-requests.ts';

/** What the agent calls the flags of a session. */
const STREAMS = [
  ['stderr', 'error'],
  ['stdin', 'input'],
  ['stdout', 'output'],
  ['tty', 'tty'],
] as const;

export const podExec: Operation = sessionAt('exec', (query) => {
  const parameters = new URLSearchParams();
  for (const command of query.all('command')) parameters.append('command', command);
  return withStreams(parameters, query);
});
export const podAttach: Operation = sessionAt('attach', (query) =>
  withStreams(new URLSearchParams(), query),
);
export const podPortForward: Operation = sessionAt('portForward', (query) => {
  const ports = query.all('ports').filter((port) => port !== '');
  return new URLSearchParams(ports.length === 0 ? {} : { port: ports.join(',') });
});

function withStreams(parameters: URLSearchParams, query: Query): URLSearchParams {
  for (const [flag, name] of STREAMS) if (query.flag(flag)) parameters.set(name, '1');
  return parameters;
}

function sessionAt(
  place: 'exec' | 'attach' | 'portForward',
  parametersOf: (query: Query) => URLSearchParams,
): Operation {
  return {
    methods: ['get', 'post'],
    passesOn: true,
    serve: async (request) => {
      const { exchange, route, shards } = request;
      const { namespace, name } = route;
      const pod = await getStored<Pod>(shards, PODS, namespace, name);
      const asked = exchange.query.text('container');
      const container = place === 'portForward' ? '' : `/${containerOf(pod, asked)}`;
      const nodeName = pod.spec?.nodeName ?? '';
      if (nodeName === '') throw badRequest(`pod ${name} does not have a host assigned`);
      const agent = await agentAddress(request, nodeName);
      if (exchange.head.upgrade === undefined) throw badRequest('Upgrade request required');
      const parameters = parametersOf(exchange.query).toString();
      const query = parameters === '' ? '' : `?${parameters}`;
      await openSession(request, agent, `/${place}/${namespace}/${name}${container}${query}`);
    },
  };
}
