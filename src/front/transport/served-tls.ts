/** HTTPS of one port and its session port: by which TLS, and anew when its files change. */
import type { TemplatedApp } from 'uWebSockets.js';
import type { Tls } from './tls.ts';
import { LibraryTls, servesTls } from './library-tls.ts';
import { NodeTls } from './node-tls.ts';
import { readTls, watchTls } from './tls-files.ts';
import type { TlsMaterial } from './tls-files.ts';

export class ServedTls {
  readonly #tls: Tls;
  readonly #endWatch: () => void;
  #material: TlsMaterial;
  #node: NodeTls | undefined;
  #library: LibraryTls | undefined;

  /** Throws TlsFileError. `logError` gets one line for files that cannot be used later. */
  constructor(tls: Tls, logError: (text: string) => void) {
    this.#tls = tls;
    this.#material = readTls(tls);
    this.#endWatch = watchTls(tls, (material) => this.#swap(material), logError);
  }

  /** Whether the HTTP library can do what the options ask for. */
  get isOfLibrary(): boolean {
    return servesTls(this.#tls);
  }

  /** For ports that Node serves. */
  get node(): NodeTls {
    return (this.#node ??= new NodeTls(this.#tls, this.#material));
  }

  /** For the one port that the HTTP library serves by itself. */
  library(addRoutes: (app: TemplatedApp) => void): LibraryTls {
    return (this.#library = new LibraryTls(this.#tls, addRoutes));
  }

  /** Ends the watch of the files: changes of them do not count any more. */
  close(): void {
    this.#endWatch();
  }

  #swap(material: TlsMaterial): void {
    const { cert, key } = this.#material.pair;
    // Each time takes memory that the library never gives back.
    if (cert !== material.pair.cert || key !== material.pair.key) this.#library?.swap();
    this.#node?.swap(material);
    this.#material = material;
  }
}
