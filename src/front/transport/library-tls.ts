/**
 * HTTPS by the HTTP library, which takes half the time of Node's own and can do less: one
 * certificate, and none of clients.
 */
import uws from 'uWebSockets.js';
import type { TemplatedApp } from 'uWebSockets.js';
import type { Tls } from './tls.ts';
import { TlsFileError } from './tls-files.ts';
import { suitesOf } from './tls-suites.ts';

/** The package's types lack the members by which an app takes the connections of another. */
interface PassingApp extends TemplatedApp {
  getDescriptor(): unknown;
  addChildAppDescriptor(descriptor: unknown): void;
  removeChildAppDescriptor(descriptor: unknown): void;
}

/** Suites that its TLS may lack. */
const UNKNOWN_SUITES = /SHA256$|RC4|DES/;
const GCM_OR_CHACHA = /GCM|CHACHA/;
/** Whether the library can do what the options ask for. */
export function servesTls({
  namedPairs,
  minVersion,
  cipherSuites = [],
  clientAuthorityFile,
  proxyAuthorityFile,
}: Tls): boolean {
  const isOld = minVersion === 'TLSv1' || minVersion === 'TLSv1.1';
  const showsCertificates = clientAuthorityFile !== '' || proxyAuthorityFile !== '';
  const knows = (suite: string): boolean =>
    GCM_OR_CHACHA.test(suite) || !UNKNOWN_SUITES.test(suite);
  return namedPairs.length === 0 && !isOld && !showsCertificates && cipherSuites.every(knows);
}

/** Apps of one port: the first listens, and gives new connections to the newest. */
export class LibraryTls {
  readonly #tls: Tls;
  readonly #addRoutes: (app: TemplatedApp) => void;
  readonly #apps: PassingApp[] = [];

  constructor(tls: Tls, addRoutes: (app: TemplatedApp) => void) {
    this.#tls = tls;
    this.#addRoutes = addRoutes;
  }

  /** The app that is to listen. Throws where the files cannot be used. */
  start(): TemplatedApp {
    return this.#add();
  }

  /** Connections that come from now on get what the files say. Throws where that is unusable. */
  swap(): void {
    const before = this.#apps.at(-1);
    const [first] = this.#apps;
    const next = this.#add();
    first?.addChildAppDescriptor(next.getDescriptor());
    if (before !== first) first?.removeChildAppDescriptor(before?.getDescriptor());
  }

  /** Cuts all connections. */
  close(): void {
    for (const app of this.#apps) app.close();
  }

  #add(): PassingApp {
    const { certFile, keyFile } = this.#tls;
    const suites = suitesOf(this.#tls);
    let app: PassingApp;
    try {
      app = uws.SSLApp({
        cert_file_name: certFile,
        key_file_name: keyFile,
        ...(suites && { ssl_ciphers: suites.join(':') }),
      }) as PassingApp;
    } catch (error) {
      // It says no more than that it cannot.
      const why = (error as Error).message;
      throw new TlsFileError(`cannot serve HTTPS with ${certFile} and ${keyFile}: ${why}`);
    }
    this.#addRoutes(app);
    this.#apps.push(app);
    return app;
  }
}
