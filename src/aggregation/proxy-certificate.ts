/**
 * By what other servers of the API know that this one has asked who asks (README.md#who-asks): a
 * client certificate of the options, or one that the own authority has signed.
 */
import { KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  backdated,
  certificateLibrary,
  newKeys,
  ownAuthority,
  signCertificate,
} from '../auth/certificate-authority.ts';
import { readOwn, writePrivate } from '../auth/own-files.ts';
import { FRONT_PROXY } from '../auth/published-authentication.ts';
import { PROXY_CERTIFICATE_LOOK_MS } from './limits.ts';

const DAY_MS = 86_400_000;
const VALID_MS = 365 * DAY_MS;
/** A certificate that ends sooner is made anew. */
const REMAINING_MS_MIN = 30 * DAY_MS;
/** One file, so that the two are of each other whoever writes it. */
const OWN_FILE = 'front-proxy-client.pem';
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/;

export interface ProxyCertificateSettings {
  /** Files of a certificate and its key (PEM); '' for none. */
  readonly certFile: string;
  readonly keyFile: string;
  readonly dataDir: string;
  /** Others are told to trust the own authority, where the options name no certificate. */
  readonly isOwnTrusted: boolean;
}

/** PEM. */
export interface ShownPair {
  readonly cert: string;
  readonly key: string;
}

export class ProxyCertificate {
  readonly #settings: ProxyCertificateSettings;
  readonly #nowMs: () => number;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #changed = '';
  #pair: Promise<ShownPair | undefined> = Promise.resolve(undefined);

  constructor(settings: ProxyCertificateSettings, nowMs: () => number) {
    this.#settings = settings;
    this.#nowMs = nowMs;
  }

  /**
   * Undefined where none is shown. Files that have changed are read again. Rejects when they cannot
   * be read, or the own authority is damaged.
   */
  current(): Promise<ShownPair | undefined> {
    const nowMs = this.#nowMs();
    if (nowMs - this.#lookedMs < PROXY_CERTIFICATE_LOOK_MS) return this.#pair;
    this.#lookedMs = nowMs;
    const { certFile, keyFile, isOwnTrusted } = this.#settings;
    if (certFile !== '') {
      const changed = [certFile, keyFile].map(changeOf).join();
      if (changed === this.#changed) return this.#pair;
      this.#changed = changed;
      this.#pair = readPair(certFile, keyFile);
    } else if (isOwnTrusted) this.#pair = this.#own(nowMs);
    this.#pair.catch(() => (this.#changed = ''));
    return this.#pair;
  }

  async #own(nowMs: number): Promise<ShownPair> {
    const { dataDir } = this.#settings;
    const file = join(dataDir, OWN_FILE);
    const kept = pairOf(readOwn(file) ?? '');
    if (kept !== undefined && lastsLonger(kept.cert, nowMs + REMAINING_MS_MIN)) return kept;
    const made = await newPair(dataDir, nowMs);
    writePrivate(file, made.cert + made.key);
    return made;
  }
}

async function newPair(dataDir: string, nowMs: number): Promise<ShownPair> {
  const { KeyUsageFlags, ExtendedKeyUsage } = await certificateLibrary();
  const authority = await ownAuthority(dataDir, nowMs);
  const keys = await newKeys();
  const cert = await signCertificate(authority, {
    subject: [{ CN: [{ utf8String: FRONT_PROXY }] }],
    publicKey: keys.publicKey,
    notBeforeMs: backdated(nowMs),
    notAfterMs: nowMs + VALID_MS,
    keyUsage: KeyUsageFlags.digitalSignature,
    extendedKeyUsages: [ExtendedKeyUsage.clientAuth],
    alternativeNames: [],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return { cert: cert.endsWith('\n') ? cert : `${cert}\n`, key };
}

async function readPair(certFile: string, keyFile: string): Promise<ShownPair> {
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}

function pairOf(text: string): ShownPair | undefined {
  const [cert = ''] = CERTIFICATE.exec(text) ?? [];
  return cert === '' ? undefined : { cert, key: text.replace(cert, '') };
}

function lastsLonger(cert: string, untilMs: number): boolean {
  return Date.parse(new X509Certificate(cert).validTo) > untilMs;
}

function changeOf(file: string): string {
  const { mtimeMs = 0, ino = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${ino}:${mtimeMs}`;
}
