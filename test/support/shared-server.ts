/**
 * Servers for all test files of a process, one for each set of flags: starting one for each file,
 * and warming it up, would take longer than most of them. The runner puts files that import this
 * into common processes. Such a file uses names that no other uses, counts only what is its own,
 * and leaves the server running.
 */
import { startServer } from './server.ts';
import type { Server } from './server.ts';

const servers = new Map<string, Promise<Server>>();

/**
 * The server of this process that has these flags besides, started when it is first asked for; it
 * ends with the process.
 */
export function sharedServer(...flags: readonly string[]): Promise<Server> {
  const key = flags.join(' ');
  const server = servers.get(key) ?? start(flags);
  servers.set(key, server);
  return server;
}

async function start(flags: readonly string[]): Promise<Server> {
  const args = ['--durability', 'relaxed', '--runtime-config', 'api/alpha'];
  // So many addresses that none given by chance is one that another test asks for.
  args.push('--service-cluster-ip-range', '10.0.0.0/16');
  const started = await startServer({ args: [...args, ...flags] });
  started.process.unref();
  return started;
}
