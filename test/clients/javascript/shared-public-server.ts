/** The public server of all test files of a process that need none of their own. */
import type { KubeConfig } from '@kubernetes/client-node';
import type { Server } from '../../support/server.ts';
import { startPublicServer } from './public-client.ts';

type Shared = Readonly<{ server: Server; config: KubeConfig }>;

let shared: Promise<Shared> | undefined;

/** Started when it is first asked for; it ends with the process. Nobody restarts it. */
export function sharedPublicServer(): Promise<Shared> {
  shared ??= start();
  return shared;
}

async function start(): Promise<Shared> {
  const { server, config } = await startPublicServer();
  server.process.unref();
  return { server, config };
}
