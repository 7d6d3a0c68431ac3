/**
 * HTTPS by Node's own TLS: all that the options can ask for, certificates of clients above all, and
 * what is new in the files from the next connection on.
 */
import { constants, randomBytes } from 'node:crypto';
import type { X509Certificate } from 'node:crypto';
import { createSecureContext, DEFAULT_CIPHERS } from 'node:tls';
import type { SecureContext, SecureContextOptions, Server, TlsOptions, TLSSocket } from 'node:tls';
import { ConnectionCertificate } from '../../auth/client-authorities.ts';
import type { ShownCertificate, TrustedAuthorities } from '../../auth/client-authorities.ts';
import { THREAD_SERIES } from '../../observability/metrics/thread-metrics.ts';
import { IDLE_MS_MAX } from '../limits.ts';
import type { Tls } from './tls.ts';
import type { Client } from './client-table.ts';
import type { KeyPair, TlsMaterial } from './tls-files.ts';
import { suitesOf } from './tls-suites.ts';

const SUITES_OF_TLS_1_3 = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
];
/** Without it OpenSSL serves no old version, whatever is asked for. */
const ANY_STRENGTH = '@SECLEVEL=0';
/** All that is wrong is that OpenSSL itself knows no end of the chain: authorities need not be. */
const UNENDED_CHAIN = [
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];
const TICKET_KEY_BYTES = 48;
/** Chains of clients that come back with a ticket, which has the first certificate only. */
const CHAINS_MAX = 1_000;

export class NodeTls {
  readonly #tls: Tls;
  /** Tickets of other fronts do not count: whose chain they stand for is known there. */
  readonly #ticketKeys = randomBytes(TICKET_KEY_BYTES);
  readonly #servers = new Set<Server>();
  readonly #handshakeErrors = THREAD_SERIES.cell('apiserver_tls_handshake_errors_total', {});
  readonly #chains = new Map<string, readonly X509Certificate[]>();
  #material: TlsMaterial;
  #contexts: ReadonlyMap<string, SecureContext>;

  constructor(tls: Tls, material: TlsMaterial) {
    this.#tls = tls;
    this.#material = material;
    this.#contexts = this.#contextsOf(material);
  }

  /** The authorities whose certificates count at this moment. */
  get trusted(): TrustedAuthorities {
    return this.#material.trusted;
  }

  /** For a server, which is then to be given to `serve`. */
  get serverOptions(): TlsOptions {
    const { clients, frontProxy } = this.trusted;
    return {
      ...this.#contextOptions(this.#material, this.#material.pair),
      SNICallback: (name, then) => then(null, this.#contextFor(name)),
      requestCert: clients.length + frontProxy.length > 0,
      // A request is refused for it, not the connection, as in the reference.
      rejectUnauthorized: false,
      handshakeTimeout: IDLE_MS_MAX,
    };
  }

  serve(server: Server): void {
    this.#servers.add(server);
    server.on('tlsClientError', () => this.#handshakeErrors.add());
    server.on('close', () => this.#servers.delete(server));
  }

  /** Connections that come from now on are served so. */
  swap(material: TlsMaterial): void {
    this.#contexts = this.#contextsOf(material);
    this.#material = material;
    const options = this.#contextOptions(material, material.pair);
    for (const server of this.#servers) server.setSecureContext(options);
  }

  /** Who is at the other end of a connection. */
  clientOf(socket: TLSSocket): Client {
    const shown = this.#shownBy(socket);
    const certificate = shown && new ConnectionCertificate(shown);
    return { address: socket.remoteAddress ?? '', certificate };
  }

  #contextFor(name: string): SecureContext | undefined {
    const exact = name.toLowerCase();
    const wildcard = exact.replace(/^[^.]*/, '*');
    return this.#contexts.get(exact) ?? this.#contexts.get(wildcard);
  }

  #contextsOf(material: TlsMaterial): ReadonlyMap<string, SecureContext> {
    const byPair = new Map<KeyPair, SecureContext>();
    for (const pair of material.pairsByName.values()) {
      if (byPair.has(pair)) continue;
      byPair.set(pair, createSecureContext(this.#contextOptions(material, pair)));
    }
    const contexts = new Map<string, SecureContext>();
    for (const [name, pair] of material.pairsByName) {
      const context = byPair.get(pair);
      if (context !== undefined) contexts.set(name, context);
    }
    return contexts;
  }

  #contextOptions({ trusted }: TlsMaterial, { cert, key }: KeyPair): SecureContextOptions {
    const { minVersion } = this.#tls;
    const isOld = minVersion === 'TLSv1' || minVersion === 'TLSv1.1';
    const ca = [...trusted.clients, ...trusted.frontProxy].map(String);
    const given = suitesOf(this.#tls);
    const suites = given === undefined ? [DEFAULT_CIPHERS] : [...SUITES_OF_TLS_1_3, ...given];
    return {
      cert,
      key,
      // With none the runtime would trust those of public authorities.
      ca,
      minVersion,
      ciphers: [...suites, ...(isOld ? [ANY_STRENGTH] : [])].join(':'),
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
      ticketKeys: this.#ticketKeys,
    };
  }

  #shownBy(socket: TLSSocket): ShownCertificate | undefined {
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) return undefined;
    const intermediates = socket.isSessionReused()
      ? this.#chains.get(certificate.fingerprint256)
      : issuersOf(certificate);
    this.#noteChain(certificate, intermediates ?? []);
    // The types take it for an Error.
    const objection = socket.authorizationError as unknown as string | null;
    const isSound = objection === null || UNENDED_CHAIN.includes(objection);
    return { certificate, intermediates: intermediates ?? [], isSound };
  }

  #noteChain({ fingerprint256 }: X509Certificate, chain: readonly X509Certificate[]): void {
    if (chain.length === 0) return;
    this.#chains.delete(fingerprint256);
    this.#chains.set(fingerprint256, chain);
    if (this.#chains.size <= CHAINS_MAX) return;
    for (const oldest of this.#chains.keys()) return void this.#chains.delete(oldest);
  }
}

/** The certificates that a client has sent after its own. */
function issuersOf({ issuerCertificate }: X509Certificate): readonly X509Certificate[] {
  const issuers: X509Certificate[] = [];
  for (let next = issuerCertificate; next !== undefined; next = next.issuerCertificate) {
    issuers.push(next);
  }
  return issuers;
}
