/**
 * One server for all test files of a process: starting one for each, and warming it up, would take
 * longer than most of them. The runner puts files that import this into common processes. Such a
 * file uses names that no other uses, counts only what is its own, and leaves the server running.
 */
import { startServer } from './server.ts';
import type { Server } from './server.ts';

let server: Promise<Server> | undefined;

/** The server of this process, started when it is first asked for; it ends with the process. */
export function sharedServer(): Promise<Server> {
  server ??= start();
  return server;
}

async function start(): Promise<Server> {
  const args = ['--durability', 'relaxed', '--runtime-config', 'api/alpha'];
  // So many addresses that none given by chance is one that another test asks for.
  args.push('--service-cluster-ip-range', '10.0.0.0/16');
  const started = await startServer({ args });
  started.process.unref();
  return started;
}
