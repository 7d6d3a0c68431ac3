/**
 * The public JavaScript client, as it comes from the registry, against a server of its own: over
 * HTTPS, with the kubeconfig that the server wrote.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiException, KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import type { ConfigurationOptions } from '@kubernetes/client-node';
import type { Test } from 'tap';
import type { ApiDomain } from '../../../src/config/values.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { freePort } from '../../support/server-process.ts';
import { startServer } from '../../support/server.ts';
import type { Server } from '../../support/server.ts';

const ASK_AGAIN_MS = 20;

export interface PublicServer {
  readonly server: Server;
  readonly config: KubeConfig;
  /** Stops it and starts it on the same data, with the names of another domain. */
  readonly restartIn: (domain: ApiDomain) => Promise<void>;
}

/** The kubeconfig in a data folder. */
export function adminConfig(dataDirectory: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(join(dataDirectory, 'admin.kubeconfig'));
  return config;
}

/** A server, for one test if given; restarted, it listens on the same port for HTTPS again. */
export async function startPublicServer(
  test?: Test,
  args: readonly string[] = [],
): Promise<PublicServer> {
  const port = String(await freePort());
  const argsIn = (domain: ApiDomain) => ['--api-domain', domain, '--secure-port', port, ...args];
  const server = await startServer({ ...(test && { test }), args: argsIn('k8s.io') });
  const restartIn = async (domain: ApiDomain) => {
    await server.stop();
    await server.restart({ args: argsIn(domain) });
  };
  return { server, config: adminConfig(server.dataDirectory), restartIn };
}

/** The options of a request whose body is a patch of this type. */
export function patchOptions(strategy: PatchStrategy): ConfigurationOptions {
  return setHeaderOptions('Content-Type', strategy);
}

export const JSON_PATCH = patchOptions(PatchStrategy.JsonPatch);
export const MERGE_PATCH = patchOptions(PatchStrategy.MergePatch);
export const STRATEGIC_PATCH = patchOptions(PatchStrategy.StrategicMergePatch);
export const APPLY = patchOptions(PatchStrategy.ServerSideApply);

export interface ExpectedException {
  readonly code: number;
  readonly reason?: string | undefined;
  /** Exact text, or a pattern. */
  readonly message?: string | RegExp;
  readonly details?: unknown;
}

/** The call is refused: an ApiException with the code, and a Status document as its body. */
export async function expectException(
  t: Test,
  call: Promise<unknown>,
  expected: ExpectedException,
): Promise<void> {
  let exception: unknown;
  try {
    const answer = await call;
    t.fail(`refused with ${expected.code}, and not answered`, { answer });
    return;
  } catch (error) {
    exception = error;
  }
  if (!(exception instanceof ApiException)) throw exception;
  t.equal(exception.code, expected.code, `HTTP ${expected.code}; body: ${exception.body}`);
  const status = JSON.parse(String(exception.body));
  t.equal(status.kind, 'Status');
  t.equal(status.apiVersion, 'v1');
  t.equal(status.status, 'Failure');
  t.equal(status.code, expected.code, 'the code is in the body too');
  if ('reason' in expected) t.equal(status.reason, expected.reason, 'reason');
  if (typeof expected.message === 'string') t.equal(status.message, expected.message, 'message');
  else if (expected.message !== undefined) t.match(status.message, expected.message, 'message');
  if (expected.details !== undefined) t.same(status.details, expected.details, 'details');
}

/** Waits until what is asked for is there; rejects with the name of it when it never is. */
export async function eventually<T>(
  name: string,
  ask: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await sleep(ASK_AGAIN_MS);
  }
  throw new Error(`never: ${name}`);
}
