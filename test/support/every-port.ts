/**
 * Servers that together have every port that the program can have, by who serves it: what one of
 * them must not do, none may.
 */
import type { Test } from 'tap';
import { makeAuthority, writePair } from './authorities.ts';
import type { RawPort } from './raw-exchange.ts';
import { startServer } from './server.ts';
import type { Server } from './server.ts';
import { freePort, temporaryFolder } from './server-process.ts';

export interface ServedPort extends RawPort {
  readonly server: Server;
  /** Sessions in any protocol can be had there. */
  readonly hasSessions: boolean;
  /** Connections are those of a front proxy, which says in headers who asks. */
  readonly isOfProxy: boolean;
}

/** Headers in which the front proxy says who asks, beside the usual ones. */
export const NAME_HEADER = 'X-Shop-Name';
export const GROUP_HEADER = 'X-Shop-Group';
export const EXTRA_PREFIX = 'X-Shop-Extra-';

/** Where the servers write to, and what may be read there. */
export interface EveryPort {
  readonly servers: readonly Server[];
  readonly ports: ReadonlyMap<string, ServedPort>;
}

/** The flags are for all of them, for each with a folder of its own. */
export async function everyPort(
  t: Test,
  flags: (folder: string) => readonly string[] = () => [],
): Promise<EveryPort> {
  const folder = temporaryFolder();
  const authority = await makeAuthority('proxies');
  const { certFile } = writePair(folder, 'proxies', authority);
  const proxy = await authority.sign({ subject: [{ CN: ['proxy'] }], usage: 'client' });
  const [ofNode, ofLibrary, plainSessions, sessions] = await Promise.all(
    Array.from({ length: 4 }, freePort),
  );
  const start = (...args: string[]): Promise<Server> =>
    startServer({
      test: t,
      args: ['--durability=relaxed', ...flags(temporaryFolder()), ...args],
    });
  const [plain, full, library] = await Promise.all([
    start(`--session-port=${plainSessions}`),
    start(
      `--secure-port=${ofNode}`,
      `--session-port=${sessions}`,
      `--requestheader-client-ca-file=${certFile}`,
      `--requestheader-username-headers=X-Remote-User,${NAME_HEADER}`,
      `--requestheader-group-headers=X-Remote-Group,${GROUP_HEADER}`,
      `--requestheader-extra-headers-prefix=X-Remote-Extra-,${EXTRA_PREFIX}`,
    ),
    start(`--secure-port=${ofLibrary}`),
  ]);
  const port = (server: Server, number: number, more: Partial<ServedPort> = {}): ServedPort => ({
    server,
    port: number,
    isSecure: false,
    hasSessions: false,
    isOfProxy: false,
    ...more,
  });
  const secure = { isSecure: true };
  return {
    servers: [plain, full, library],
    ports: new Map([
      ['HTTP', port(plain, plain.port)],
      ['HTTPS of the library', port(library, Number(ofLibrary), secure)],
      ['HTTPS of Node', port(full, Number(ofNode), secure)],
      ['sessions over HTTP', port(plain, Number(plainSessions), { hasSessions: true })],
      ['sessions over HTTPS', port(full, Number(sessions), { ...secure, hasSessions: true })],
      [
        'of a front proxy',
        port(full, Number(ofNode), {
          ...secure,
          hasSessions: true,
          isOfProxy: true,
          certificate: proxy,
        }),
      ],
    ]),
  };
}

/** The lines by which an administrator is known on the port, as a head has them. */
export function adminLines({ server, isOfProxy }: ServedPort): readonly string[] {
  return isOfProxy
    ? [`${NAME_HEADER}: root`, `${GROUP_HEADER}: system:masters`]
    : [`Authorization: Bearer ${server.token}`];
}
