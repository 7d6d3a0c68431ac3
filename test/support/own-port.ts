/** A server of Node on a port of its own, which a test closes and opens again. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

export interface OwnPort {
  readonly port: number;
  /** Takes no more connections, and cuts those that there are, until it is opened again. */
  close(): Promise<void>;
  open(): Promise<void>;
}

/** Listens on a free port of the loopback until the test ends. */
export async function onOwnPort(t: Test, server: Server): Promise<OwnPort> {
  let port = 0;
  const open = async (): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  await open();
  t.teardown(close);
  return { port, open, close };
}
