/**
 * Another server of the API, which answers for a group version over HTTPS: what it has, what it was
 * asked and by whom. It asks clients for certificates, and looks at them itself.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Test } from 'tap';
import { until } from './owned-objects.ts';
import { onOwnPort, type OwnPort } from './own-port.ts';
import { selfSigned } from './self-signed.ts';
import type { Server } from './server.ts';

export const APISERVICES = '/apis/apiregistration.cluster.io/v1/apiservices';
const SERVICES = '/api/v1/namespaces/default/services';

export interface AggregatedRequest {
  readonly method: string;
  readonly path: string;
  /** Each name in lower case, with all its values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
  /** PEM of the client's certificate; '' for none. */
  readonly certificate: string;
}

export interface AggregatedServer extends OwnPort {
  /** PEM of its certificate, in base64. */
  readonly caBundle: string;
  readonly requests: AggregatedRequest[];
}

export type OnRequest = (
  request: AggregatedRequest,
  response: ServerResponse,
  incoming: IncomingMessage,
) => void | Promise<void>;

export interface AggregatedOptions {
  /** The name of its service in the namespace `default`. */
  readonly name: string;
  readonly onRequest: OnRequest;
  readonly onUpgrade?: (request: IncomingMessage, connection: Duplex, head: Buffer) => void;
}

/** It ends with the test. */
export async function startAggregated(
  t: Test,
  { name, onRequest, onUpgrade }: AggregatedOptions,
): Promise<AggregatedServer> {
  const { key, cert } = await selfSigned([`${name}.default.svc`]);
  const requests: AggregatedRequest[] = [];
  const receive = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await buffer(incoming)).toString();
    const request = { ...requestOf(incoming), body };
    requests.push(request);
    await onRequest(request, response, incoming);
  };
  const options = { key, cert, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (incoming, response) => {
    // A client that goes away while it sends is one that a test has cut.
    receive(incoming, response).catch(() => response.destroy());
  });
  server.on('upgrade', (incoming: IncomingMessage, connection: Duplex, head: Buffer) => {
    requests.push({ ...requestOf(incoming), body: '' });
    connection.on('error', () => undefined);
    onUpgrade?.(incoming, connection, head);
  });
  const { port, open, close } = await onOwnPort(t, server);
  return { port, caBundle: Buffer.from(cert).toString('base64'), requests, open, close };
}

function requestOf(incoming: IncomingMessage): Omit<AggregatedRequest, 'body'> {
  const headers = new Map<string, string[]>();
  for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
    const name = (incoming.rawHeaders[at] ?? '').toLowerCase();
    const values = headers.get(name) ?? [];
    values.push(incoming.rawHeaders[at + 1] ?? '');
    headers.set(name, values);
  }
  const certificate = (incoming.socket as TLSSocket).getPeerX509Certificate()?.toString() ?? '';
  const { method = '', url = '' } = incoming;
  return { method, path: url, headers, certificate };
}

/** Answers with a document. */
export function answer(response: ServerResponse, document: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(document));
}

export interface Registration {
  readonly group: string;
  readonly version?: string;
  readonly name: string;
  readonly spec?: object;
}

/** Has such a server answer for a group version: its service is a name of this machine. */
export async function register(
  server: Server,
  { port, caBundle }: Pick<AggregatedServer, 'port' | 'caBundle'>,
  { group, version = 'v1', name, spec }: Registration,
): Promise<string> {
  const service = { type: 'ExternalName', externalName: 'localhost' };
  const made = await server.post(SERVICES, { metadata: { name }, spec: service });
  if (made.status !== 201 && made.status !== 409) throw new Error(made.text);
  const registered = await server.post(APISERVICES, {
    metadata: { name: `${version}.${group}` },
    spec: {
      group,
      version,
      groupPriorityMinimum: 900,
      versionPriority: 10,
      caBundle,
      service: { name, namespace: 'default', port },
      ...spec,
    },
  });
  if (registered.status !== 201) throw new Error(registered.text);
  return `${APISERVICES}/${version}.${group}`;
}

export interface Available {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Resolves with the condition `Available` once its reason is that. */
export async function availableAs(
  server: Server,
  path: string,
  reason: string,
): Promise<Available> {
  let found: Available = { status: '', reason: '', message: '' };
  await until(async () => {
    const { json } = await server.get(path);
    found = json.status.conditions?.[0] ?? found;
    return found.reason === reason;
  });
  return found;
}
