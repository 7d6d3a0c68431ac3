/**
 * A node agent that a test writes: HTTPS on all addresses, with requests and upgrades as they come.
 */
import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Server as HttpsServer } from 'node:https';
import { createServer as createPlainServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Duplex } from 'node:stream';
import { X509CertificateGenerator } from '@peculiar/x509';
import type { Test } from 'tap';

export interface FakeAgent {
  readonly port: number;
  /** `GET /path?query` of each request, in order. */
  readonly asked: string[];
  readonly server: HttpsServer;
}

export interface AgentAnswers {
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  onUpgrade?(request: IncomingMessage, connection: Duplex, head: Buffer): void;
}

export async function startAgent(
  t: Test,
  { onRequest, onUpgrade }: AgentAnswers,
): Promise<FakeAgent> {
  const asked: string[] = [];
  const server = createServer(await certificate());
  server.on('request', (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    onRequest(request, response);
  });
  server.on('upgrade', (request, connection: Duplex, head: Buffer) => {
    asked.push(`${request.method} ${request.url}`);
    connection.on('error', () => undefined);
    onUpgrade?.(request, connection, head);
  });
  server.listen(0);
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked, server };
}

export interface RawAgent {
  readonly port: number;
  /** The head of each request, and what came with it, byte for byte. */
  readonly heads: string[];
}

/** One that answers whatever a test wants, over plain connections, on all addresses. */
export async function startRawAgent(
  t: Test,
  answer: (head: string, connection: Socket) => void,
): Promise<RawAgent> {
  const heads: string[] = [];
  const connections = new Set<Socket>();
  const server = createPlainServer((connection) => {
    connections.add(connection);
    let head = '';
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      connection.off('data', onData);
      heads.push(head);
      answer(head, connection);
    };
    connection.on('data', onData);
    connection.on('error', () => undefined);
    connection.on('close', () => connections.delete(connection));
  });
  server.listen(0);
  await once(server, 'listening');
  t.teardown(() => {
    for (const connection of connections) connection.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, heads };
}

/** A certificate of its own, as node agents have: nobody else has signed it. */
async function certificate(): Promise<{ readonly key: string; readonly cert: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const name = [{ CN: ['agent'] }];
  const made = await X509CertificateGenerator.createSelfSigned({ name, keys });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const pem = Buffer.from(key).toString('base64');
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${pem}\n-----END PRIVATE KEY-----\n`,
    cert: made.toString('pem'),
  };
}

/** An address of this machine that is not its loopback: proxies refuse that. */
export function outsideAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const found = all.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (found === undefined) throw new Error('this machine has no address but its loopback');
  return found.address;
}
