/**
 * Checks the parts of a request for a certificate (PKCS #10) that the reference checks: its
 * structure, its key, its subject, and the names that it asks for.
 */
import {
  checkKey,
  checkSignature,
  readAlgorithm,
  type PublicKey,
  type Signature,
} from './request-signature.ts';
import {
  bitsOf,
  checkInteger,
  DerError,
  DerReader,
  identifierOf,
  reworded,
  syntaxError,
  type DerValue,
} from './der.ts';

/**
 * Throws `DerError` for bytes that are no request, and for a request that its own key has not
 * signed.
 */
export function checkRequest(der: Buffer): void {
  const { key, signature } = readRequest(der);
  checkSignature(signature, key);
}

/** The key and the signature of a request. Throws `DerError` for bytes that are no request. */
export function readRequest(der: Buffer): { key: PublicKey; signature: Signature } {
  const whole = new DerReader(der);
  const request = whole.sequence('certificateRequest');
  const facts = request.sequence('tbsCertificateRequest');
  facts.integer();
  const subject = facts.any();
  const info = facts.sequence('publicKeyInfo');
  const key = { algorithm: readAlgorithm(info), bits: info.bitString(), whole: info.whole };
  const attributes = facts.taggedListOfAny(0);
  const algorithm = readAlgorithm(request);
  const bits = request.bitString();
  if (!whole.isAtEnd) throw syntaxError('trailing data');
  checkKey(key);
  checkSubject(subject.whole);
  checkExtensions(attributes);
  return { key, signature: { algorithm, bits, signed: facts.whole } };
}

function checkSubject(der: Buffer): void {
  const reader = new DerReader(der);
  for (const set of reader.listOfSets()) {
    for (const part of new DerReader(set).listOfSequences(true)) {
      part.objectIdentifier();
      const { tag, content, whole } = part.any();
      // Only values of plain universal types have a form to check.
      const isPlain = (whole[0] as number) < 0x20;
      if (isPlain) CHECKS_BY_TAG.get(tag)?.(content);
    }
  }
}

const CHECKS_BY_TAG: ReadonlyMap<number, (content: Buffer) => void> = new Map([
  [2, checkInteger],
  [3, bitsOf],
  [6, identifierOf],
  [12, checkUtf8],
  [18, (content) => checkCharacters(content, /^[0-9 ]*$/, 'NumericString')],
  [19, (content) => checkCharacters(content, /^[A-Za-z0-9'()+,\-./ :=?*&]*$/, 'PrintableString')],
  [22, (content) => checkCharacters(content, ASCII, 'IA5String')],
]);

/* oxlint-disable-next-line no-control-regex */
const ASCII = /^[\x00-\x7f]*$/;

function checkUtf8(content: Buffer): void {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new DerError('asn1: invalid UTF-8 string');
  }
}

function checkCharacters(content: Buffer, allowed: RegExp, type: string): void {
  if (allowed.test(content.toString('latin1'))) return;
  throw syntaxError(`${type} contains invalid character`);
}

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const ALTERNATIVE_NAMES = '2.5.29.17';
const BOOLEAN = 1;

/** Attributes that cannot be read, or are about something else, do not count. */
function checkExtensions(attributes: readonly DerValue[]): void {
  const seen = new Set<string>();
  for (const attribute of attributes) {
    const wanted = wantedExtensions(attribute);
    if (wanted === undefined) continue;
    for (const extension of new DerReader(wanted.whole).listOfSequences()) {
      const identifier = extension.objectIdentifier();
      extension.skipOptional(BOOLEAN);
      const value = extension.octets();
      if (seen.has(identifier)) {
        throw new DerError('x509: certificate request contains duplicate requested extensions');
      }
      seen.add(identifier);
      if (identifier === ALTERNATIVE_NAMES) checkAlternativeNames(value);
    }
  }
}

function wantedExtensions({ whole }: DerValue): DerValue | undefined {
  try {
    const attribute = new DerReader(whole).sequence();
    const identifier = attribute.objectIdentifier();
    const [value] = attribute.setOfAny();
    return identifier === EXTENSION_REQUEST ? value : undefined;
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

const NAME_TYPES: ReadonlyMap<number, string> = new Map([
  [1, 'rfc822Name'],
  [2, 'dNSName'],
  [6, 'uniformResourceIdentifier'],
]);
const IP_ADDRESS = 7;
const IP_BYTES = [4, 16];

function checkAlternativeNames(der: Buffer): void {
  for (const { tag, content } of alternativeNamesOf(der)) {
    const type = NAME_TYPES.get(tag);
    if (type !== undefined && !ASCII.test(content.toString('latin1'))) {
      throw new DerError(`x509: SAN ${type} is malformed`);
    }
    if (tag === IP_ADDRESS && !IP_BYTES.includes(content.length)) {
      throw new DerError(`x509: cannot parse IP address of length ${content.length}`);
    }
  }
}

function* alternativeNamesOf(der: Buffer): Iterable<DerValue> {
  const invalid = 'x509: invalid subject alternative name';
  const names = reworded(`${invalid}s`, () => new DerReader(der).sequence());
  while (!names.isAtEnd) yield reworded(invalid, () => names.any());
}
