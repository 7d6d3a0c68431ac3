/**
 * Whose certificates clients may show. What a certificate has to be is looked at with each request,
 * as in the reference: authorities change, and certificates end, while connections are open.
 */
import { X509Certificate } from 'node:crypto';
import type { ClientCertificate } from './authenticator.ts';

/** A certificate that a client has shown and proved to have the key of. */
export interface ShownCertificate {
  readonly certificate: X509Certificate;
  /** More certificates, which may lead from it to an authority. */
  readonly intermediates: readonly X509Certificate[];
  /** The TLS library has no objection, but that it may not know the authority. */
  readonly isSound: boolean;
}

export interface TrustedAuthorities {
  readonly clients: readonly X509Certificate[];
  readonly frontProxy: readonly X509Certificate[];
}

/** When it holds; outside of it nothing is known. */
interface Validity {
  readonly fromMs: number;
  readonly untilMs: number;
}

const CLIENT_USAGES = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0'];
/** Both bound what a client can make the server compute. */
const SIGNATURES_MAX = 32;
const REFUSED_MS = 10_000;
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** All certificates of a text; other things in it do not count. Throws where one is none. */
export function certificatesIn(pem: string): readonly X509Certificate[] {
  return (pem.match(PEM) ?? []).map((text) => new X509Certificate(text));
}

/** Whether one of the authorities has signed what a client shows, and when that holds. */
class Verdict {
  readonly certificate: ClientCertificate;
  readonly #validity: Validity;
  readonly #trusted: TrustedAuthorities;

  constructor(shown: ShownCertificate, trusted: TrustedAuthorities, nowMs: number) {
    const clients = pathTo(trusted.clients, shown, nowMs);
    const frontProxy = pathTo(trusted.frontProxy, shown, nowMs);
    this.#trusted = trusted;
    const refused = { fromMs: nowMs, untilMs: nowMs + REFUSED_MS };
    this.#validity = overlap(clients ?? frontProxy ?? refused, frontProxy);
    this.certificate = {
      ...subjectOf(shown.certificate),
      signedBy: { clients: clients !== undefined, frontProxy: frontProxy !== undefined },
    };
  }

  holds(trusted: TrustedAuthorities, nowMs: number): boolean {
    return trusted === this.#trusted && isWithin(this.#validity, nowMs);
  }
}

/** The certificate of one connection. */
export class ConnectionCertificate {
  readonly #shown: ShownCertificate;
  #verdict: Verdict | undefined;

  constructor(shown: ShownCertificate) {
    this.#shown = shown;
  }

  /** The certificate as it counts at this moment; signed by nobody where it does not hold. */
  verified(trusted: TrustedAuthorities, nowMs: number): ClientCertificate {
    if (this.#verdict?.holds(trusted, nowMs) !== true) {
      this.#verdict = new Verdict(this.#shown, trusted, nowMs);
    }
    return this.#verdict.certificate;
  }
}

/** Until when it is, and whose: the last common name and all organizations, as in the reference. */
function subjectOf(certificate: X509Certificate): Omit<ClientCertificate, 'signedBy'> {
  // An attribute that comes more than once is an array here, which the types do not say.
  const { CN, O } = certificate.toLegacyObject().subject as unknown as Record<
    string,
    string | string[] | undefined
  >;
  return {
    commonName: [CN ?? []].flat().at(-1) ?? '',
    organizations: [O ?? []].flat(),
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    endMs: validityOf(certificate).untilMs,
  };
}

/** When a path from the certificate to one of the authorities holds; undefined without one. */
function pathTo(
  authorities: readonly X509Certificate[],
  { certificate, intermediates, isSound }: ShownCertificate,
  nowMs: number,
): Validity | undefined {
  if (!isSound || authorities.length === 0) return undefined;
  let signaturesLeft = SIGNATURES_MAX;
  const isSignedBy = (signed: X509Certificate, issuer: X509Certificate): boolean => {
    if (!issuer.ca || !signed.checkIssued(issuer) || signaturesLeft <= 0) return false;
    signaturesLeft--;
    return signed.verify(issuer.publicKey);
  };
  const validityFrom = (
    from: X509Certificate,
    between: readonly X509Certificate[],
  ): Validity | undefined => {
    const own = validityOf(from);
    if (!isWithin(own, nowMs) || !isForClients(from)) return undefined;
    if (authorities.some(({ raw }) => raw.equals(from.raw))) return own;
    for (const issuer of [...authorities, ...between]) {
      if (!isSignedBy(from, issuer)) continue;
      const rest = validityFrom(
        issuer,
        between.filter((other) => other !== issuer),
      );
      if (rest !== undefined) return overlap(own, rest);
    }
    return undefined;
  };
  return validityFrom(certificate, intermediates);
}

/** One without usages is for all of them. */
function isForClients({ keyUsage }: X509Certificate): boolean {
  // The types know nothing of certificates without them.
  const usages = keyUsage as readonly string[] | undefined;
  return usages === undefined || usages.some((usage) => CLIENT_USAGES.includes(usage));
}

function validityOf({ validFromDate, validToDate }: X509Certificate): Validity {
  return { fromMs: validFromDate.getTime(), untilMs: validToDate.getTime() };
}

function overlap(one: Validity, other = one): Validity {
  return {
    fromMs: Math.max(one.fromMs, other.fromMs),
    untilMs: Math.min(one.untilMs, other.untilMs),
  };
}

function isWithin({ fromMs, untilMs }: Validity, nowMs: number): boolean {
  return nowMs >= fromMs && nowMs <= untilMs;
}
