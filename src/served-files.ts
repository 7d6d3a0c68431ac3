/** The certificate of the server, and what its clients are told to trust. */
import { readFileSync } from 'node:fs';
import { publishedAuthentication } from './auth/published-authentication.ts';
import { servingCertificate } from './auth/serving-certificate.ts';
import type { ServingCertificateFiles } from './auth/serving-certificate.ts';
import { readOption } from './base/options/read-option.ts';
import type { Published } from './cluster/controllers.ts';
import type { Config } from './config/config.ts';
import type { Tls } from './front/transport/tls.ts';
import { readTls } from './front/transport/tls-files.ts';
import { advertisedAddress, certificateNames } from './server-addresses.ts';

/** HTTPS, and what clients are to trust. */
interface ServedTls extends Tls {
  readonly authorityFile: string;
}

export class ServedFiles {
  readonly #config: Config;
  readonly #advertised: Promise<string>;
  #served: Promise<ServedTls | undefined> | undefined;

  constructor(config: Config) {
    this.#config = config;
    this.#advertised = advertisedAddress(config);
  }

  /** Undefined where there is no HTTPS; made where it is missing. Rejects with TlsFileError. */
  tls(): Promise<ServedTls | undefined> {
    return (this.#served ??= this.#read());
  }

  /** The facts about this server in the objects by which programs find the API. */
  async published(): Promise<Published> {
    const { authorityFile = '' } = (await this.#served) ?? {};
    const trusted = authorityFile === '' ? '' : readFileSync(authorityFile, 'utf8');
    const { tls, authentication } = this.#config;
    const { authorityFile: proxyFile, ...proxies } = authentication.frontProxy;
    const published = publishedAuthentication({
      own: tls.certFile === '' ? trusted : '',
      clients: textOf(tls.clientAuthorityFile, 'the authority of clients'),
      proxies: textOf(proxyFile, 'the authority of proxies'),
      ...proxies,
    });
    return { address: await this.#advertised, authentication: published, trusted };
  }

  async #read(): Promise<ServedTls | undefined> {
    const { securePort, tls, authentication } = this.#config;
    if (securePort === 0) return undefined;
    const files =
      tls.certFile === ''
        ? await this.#ownFiles()
        : // Clients are to trust it itself: it may have another signer, or none.
          { certFile: tls.certFile, keyFile: tls.keyFile, authorityFile: tls.certFile };
    const proxyAuthorityFile = authentication.frontProxy.authorityFile;
    const served = { ...tls, ...files, proxyAuthorityFile };
    // The fronts do it for themselves: here it is said what is wrong with the files.
    readTls(served);
    return served;
  }

  async #ownFiles(): Promise<ServingCertificateFiles> {
    const names = certificateNames(this.#config, await this.#advertised);
    return servingCertificate({ dataDir: this.#config.dataDir, names, nowMs: Date.now() });
  }
}

/** '' where the option names no file. */
function textOf(file: string, what: string): string {
  return file === '' ? '' : readOption(file, what);
}
