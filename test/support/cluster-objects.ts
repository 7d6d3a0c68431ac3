/** Objects that operations work on, as clients of a running server make them. */
import type { Members } from './kinds.ts';
import type { Answer, Server } from './server.ts';

export const PODS = '/api/v1/namespaces/default/pods';
export const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const NODES = '/api/v1/nodes';

/** Makes an object; rejects when it is refused. Answers with it as it is stored. */
export async function made(server: Server, path: string, object: unknown): Promise<Answer['json']> {
  const { status, text, json } = await server.post(path, object);
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
  return json;
}

async function withStatus(server: Server, path: string, object: Answer['json'], status: Members) {
  const { status: code, text, json } = await server.put(`${path}/status`, { ...object, status });
  if (code !== 200) throw new Error(`PUT ${path}/status: ${code} ${text}`);
  return json as Answer['json'];
}

export interface PodOptions {
  readonly labels?: Readonly<Record<string, string>>;
  /** `Pending`, as new pods are, when absent. */
  readonly phase?: string;
  readonly isReady?: boolean;
  readonly podIP?: string;
  readonly spec?: Members;
  readonly metadata?: Members;
}

/** A pod that deletes at once; in the phase that is asked for. */
export async function podWith(
  server: Server,
  name: string,
  options: PodOptions = {},
): Promise<Answer['json']> {
  const { labels = { app: 'web' }, phase, isReady = true, podIP, spec, metadata } = options;
  const pod = await made(server, PODS, {
    metadata: { name, labels, ...metadata },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'a', image: 'example.com/a:1' }],
      ...spec,
    },
  });
  if (phase === undefined && podIP === undefined) return pod;
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
  const addresses = podIP === undefined ? {} : { podIP, podIPs: [{ ip: podIP }] };
  return withStatus(server, `${PODS}/${name}`, pod, { phase, conditions, ...addresses });
}

export interface BudgetOptions {
  readonly selector?: Members;
  readonly status?: Members;
}

/** A budget whose controller has counted: two pods are needed and there, so many may go. */
export async function budgetWith(
  server: Server,
  name: string,
  disruptionsAllowed: number,
  { selector = { matchLabels: { app: 'web' } }, status = {} }: BudgetOptions = {},
): Promise<Answer['json']> {
  const budget = await made(server, BUDGETS, { metadata: { name }, spec: { selector } });
  return withStatus(server, `${BUDGETS}/${name}`, budget, {
    observedGeneration: budget.metadata.generation,
    disruptionsAllowed,
    currentHealthy: 2,
    desiredHealthy: 2,
    expectedPods: 3,
    ...status,
  });
}

export function eviction(name: string, members: Members = {}): Members {
  return { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, ...members };
}

export async function evict(server: Server, name: string, body: unknown = eviction(name)) {
  return server.post(`${PODS}/${name}/eviction`, body);
}

/** A node whose agent is at this address and port. */
export async function nodeWith(
  server: Server,
  name: string,
  address: string,
  port: number,
  type = 'InternalIP',
) {
  const node = await made(server, NODES, { metadata: { name } });
  const addresses = address === '' ? [] : [{ type, address }];
  const daemonEndpoints = { kubeletEndpoint: { Port: port } };
  return withStatus(server, `${NODES}/${name}`, node, { addresses, daemonEndpoints });
}
