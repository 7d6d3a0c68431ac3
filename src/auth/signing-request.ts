/**
 * Requests for certificates (PKCS #10): what they ask for, and certificates for them. Of what one
 * says only what is read here gets into a certificate, so that what was approved is what is signed.
 */
import type { JsonGeneralNames, JsonNameParams, Pkcs10CertificateRequest } from '@peculiar/x509';
import { certificateLibrary, signCertificate } from './certificate-authority.ts';
import type { Authority, CertificateLibrary } from './certificate-authority.ts';

const BACKDATED_MS = 300_000;
/** A shorter certificate is valid for its whole time: its end is not dated back with its begin. */
const SHORT_MS = 8 * 3_600_000;

const ALTERNATIVE_NAME = '2.5.29.17';
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
/** Parts of a subject, in the order in which the reference writes them. */
const SUBJECT_PARTS = [
  '2.5.4.6',
  ORGANIZATION,
  '2.5.4.11',
  '2.5.4.7',
  '2.5.4.8',
  '2.5.4.9',
  '2.5.4.17',
  COMMON_NAME,
  '2.5.4.5',
];

/** The facts of a request for a certificate. */
export interface SigningRequest {
  /** The last one; '' when there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly uris: readonly string[];
  /** As a certificate says it. */
  readonly subject: JsonNameParams;
  readonly request: Pkcs10CertificateRequest;
}

/** Usages of certificates that can be signed, and how certificates say them. */
type UsageFlags = (library: CertificateLibrary) => { key?: number; extended?: string };
const USAGES: Readonly<Record<string, UsageFlags>> = {
  'digital signature': ({ KeyUsageFlags }) => ({ key: KeyUsageFlags.digitalSignature }),
  'key encipherment': ({ KeyUsageFlags }) => ({ key: KeyUsageFlags.keyEncipherment }),
  'server auth': ({ ExtendedKeyUsage }) => ({ extended: ExtendedKeyUsage.serverAuth }),
  'client auth': ({ ExtendedKeyUsage }) => ({ extended: ExtendedKeyUsage.clientAuth }),
};

/** Reads a PEM text. Rejects when it is no request. */
export async function readSigningRequest(pem: string): Promise<SigningRequest> {
  const library = await certificateLibrary();
  const request = new library.Pkcs10CertificateRequest(pem);
  const { subjectName } = request;
  const valuesOf = (part: string): readonly string[] => subjectName.getField(part);
  const subject = SUBJECT_PARTS.flatMap((part) => {
    const values = part === COMMON_NAME ? valuesOf(part).slice(-1) : valuesOf(part);
    // As objects: plain texts are read as a notation, in which `#` and `\` mean something.
    return values.map((utf8String) => ({ [part]: [{ utf8String }] }));
  });
  const extension = request.getExtension(ALTERNATIVE_NAME);
  const isRead = extension instanceof library.SubjectAlternativeNameExtension;
  const names = isRead ? extension.names.items : [];
  const ofType = (wanted: string): readonly string[] =>
    names.filter(({ type }) => type === wanted).map(({ value }) => value);
  return {
    commonName: valuesOf(COMMON_NAME).at(-1) ?? '',
    organizations: valuesOf(ORGANIZATION),
    dnsNames: ofType('dns'),
    emailAddresses: ofType('email'),
    ipAddresses: ofType('ip'),
    uris: ofType('url'),
    subject,
    request,
  };
}

export interface SigningTerms {
  readonly usages: readonly string[];
  readonly durationMs: number;
  readonly nowMs: number;
}

/**
 * The certificate (PEM) for a request. Rejects when whoever made the request does not have the key
 * in it, or the authority has ended.
 */
export async function signRequest(
  authority: Authority,
  asked: SigningRequest,
  { usages, durationMs, nowMs }: SigningTerms,
): Promise<string> {
  const library = await certificateLibrary();
  if (!(await asked.request.verify())) {
    throw new Error('the request is not signed with its own key');
  }
  const flags = usages.map((usage) => {
    const flag = USAGES[usage];
    if (flag === undefined) throw new Error(`no certificate is signed for "${usage}"`);
    return flag(library);
  });
  const isShort = durationMs < SHORT_MS;
  return signCertificate(authority, {
    subject: asked.subject,
    publicKey: asked.request.publicKey,
    notBeforeMs: nowMs - BACKDATED_MS,
    notAfterMs: nowMs + durationMs - (isShort ? 0 : BACKDATED_MS),
    keyUsage: flags.reduce((sum, { key = 0 }) => sum | key, 0),
    extendedKeyUsages: flags.flatMap(({ extended }) => extended ?? []),
    alternativeNames: alternativeNames(asked),
  });
}

function alternativeNames(asked: SigningRequest): JsonGeneralNames {
  const { dnsNames, emailAddresses, ipAddresses, uris } = asked;
  return [
    ...dnsNames.map((value) => ({ type: 'dns' as const, value })),
    ...emailAddresses.map((value) => ({ type: 'email' as const, value })),
    ...ipAddresses.map((value) => ({ type: 'ip' as const, value })),
    ...uris.map((value) => ({ type: 'url' as const, value })),
  ];
}
