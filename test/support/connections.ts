/**
 * Several connections to a server that stay open. Fronts share a port by connections, so what all
 * of many are told is what every front says.
 */
import { Agent, request as httpRequest } from 'node:http';
import type { Test } from 'tap';
import type { Server } from './server.ts';

export interface Told {
  readonly status: number;
  readonly text: string;
}

/** All of them with one of two fronts: once in 128 times, and then a test sees less. */
const FOR_TWO_FRONTS = 8;

export class Connections {
  readonly #server: Server;
  readonly #agents: readonly Agent[];

  /** They end with the test. */
  constructor(test: Test, server: Server, count = FOR_TWO_FRONTS) {
    this.#server = server;
    const options = { keepAlive: true, maxSockets: 1 };
    this.#agents = Array.from({ length: count }, () => new Agent(options));
    test.teardown(() => this.#agents.forEach((agent) => agent.destroy()));
  }

  /** Asks once on each, at the same time. Rejects when a connection breaks. */
  getOnEach(path: string, token: string): Promise<Told[]> {
    const { port } = this.#server;
    const headers = { authorization: `Bearer ${token}` };
    const ask = (agent: Agent) =>
      new Promise<Told>((resolve, reject) => {
        const asked = { host: '127.0.0.1', port, agent, path, headers };
        const request = httpRequest(asked, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('error', reject);
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        });
        request.on('error', reject);
        request.end();
      });
    return Promise.all(this.#agents.map(ask));
  }

  /** Gives the answers on all of them, each status once. */
  async statusesOf(path: string, token: string): Promise<number[]> {
    const told = await this.getOnEach(path, token);
    return [...new Set(told.map(({ status }) => status))];
  }
}
