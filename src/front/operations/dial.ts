/** Whether something listens at an address: one attempt, in words as the reference has them. */
import { connect } from 'node:net';
import { NODE_DIAL_MS_MAX } from '../../limits.ts';

/** What a connection fails with, by the code of the error. */
const CONNECT_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
};

/** Resolves to why no connection can be made, `dial tcp …`; '' when one was made, and closed. */
export function dialProblem(host: string, port: number): Promise<string> {
  const what = `dial tcp ${joinHostPort(host, port)}`;
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: NODE_DIAL_MS_MAX });
    const end = (problem: string): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.on('connect', () => end(''));
    socket.on('timeout', () => end(`${what}: i/o timeout`));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const { code = '', message } = error;
      if (code === 'ENOTFOUND') end(`dial tcp: lookup ${host}: no such host`);
      else end(`${what}: connect: ${CONNECT_ERRORS[code] ?? message}`);
    });
  });
}

/** `10.0.0.1:80`, `[::1]:80`. */
export function joinHostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
