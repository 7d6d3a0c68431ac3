/** Sends the worst of each format to a server, which is to live and to answer all of it. */
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { THING, WORST_REQUESTS } from './requests.ts';
import type { WorstRequest } from './requests.ts';

export interface Target {
  readonly port: number;
  readonly token: string;
}

export interface Answered {
  readonly group: string;
  readonly what: string;
  /** 0 where the connection ended without an answer. */
  readonly status: number;
  readonly milliseconds: number;
}

export interface DriveOptions {
  /** Sends one of so many requests. */
  readonly every: number;
}

const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const THINGS = '/apis/nesting.example.com/v1/things';
const SERVED_MS = 50;
const OK = 200;

/** The status; 0 where the connection ends without one. */
export function send(target: Target, request: WorstRequest): Promise<number> {
  const { method, path, body, headers } = request;
  // The client would not say how long the body of a DELETE is.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve) => {
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port: target.port,
        method,
        path,
        headers: { authorization: `Bearer ${target.token}`, ...length, ...headers },
        // A refused body may end its connection: each has one of its own.
        agent: false,
      },
      (answer) => {
        answer.on('error', () => resolve(0));
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.resume();
      },
    );
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}

function plain(method: string, path: string, body?: string): WorstRequest {
  return { method, path, body, headers: { 'content-type': 'application/json' }, what: path };
}

/** Defines the type that requests are about, and waits until it is served. */
async function prepare(target: Target): Promise<void> {
  await send(target, plain('POST', DEFINITIONS, THING));
  while ((await send(target, plain('GET', THINGS))) !== OK) await sleep(SERVED_MS);
}

/** Calls `tell` with each answer. Throws when the server is gone. */
export async function drive(
  target: Target,
  { every }: DriveOptions,
  tell: (answered: Answered) => void | Promise<void>,
): Promise<void> {
  await prepare(target);
  let number = 0;
  for (const [group, requests] of Object.entries(WORST_REQUESTS)) {
    for (const request of requests()) {
      number += 1;
      if (number % every !== 0) continue;
      const startedAt = performance.now();
      const status = await send(target, request);
      const milliseconds = performance.now() - startedAt;
      await tell({ group, what: request.what, status, milliseconds });
      if (status === 0 && (await send(target, plain('GET', '/livez'))) !== OK) {
        throw new Error(`the server is gone after ${request.what}`);
      }
    }
  }
}
