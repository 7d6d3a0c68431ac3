/** References to images: `registry.example.com:5000/team/app:1.2@sha256:…`. */

const DEFAULT_DOMAIN = 'docker.io';
const DEFAULT_FOLDER = 'library/';
const NAME_LENGTH_MAX = 255;
const DOMAIN_PART = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const DOMAIN = new RegExp(`^${DOMAIN_PART}(?:\\.${DOMAIN_PART})*(?::[0-9]+)?$`);
const PATH_PART = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const IDENTIFIER = /^[a-f0-9]{64}$/;
/** The number of hexadecimal digits of a digest, by algorithm. */
const DIGEST_LENGTHS: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/**
 * Whether a reference names no fixed content: the tag `latest`, or neither a tag nor a digest. One
 * that is malformed names nothing at all.
 */
export function isLatestImage(image: string): boolean {
  const at = image.indexOf('@');
  const digest = at < 0 ? undefined : image.slice(at + 1);
  const tagged = at < 0 ? image : image.slice(0, at);
  const lastPart = tagged.lastIndexOf('/') + 1;
  const colon = tagged.indexOf(':', lastPart);
  const tag = colon < 0 ? undefined : tagged.slice(colon + 1);
  const name = colon < 0 ? tagged : tagged.slice(0, colon);
  if (IDENTIFIER.test(image) || !isName(name)) return false;
  if (tag !== undefined && !TAG.test(tag)) return false;
  if (digest !== undefined && !isDigest(digest)) return false;
  return tag === undefined ? digest === undefined : tag === 'latest';
}

function isName(name: string): boolean {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  const hasDomain = /[.:]/.test(first) || first === 'localhost';
  const [domain, path] = hasDomain ? [first, name.slice(slash + 1)] : [DEFAULT_DOMAIN, name];
  const folder = domain === DEFAULT_DOMAIN && !path.includes('/') ? DEFAULT_FOLDER : '';
  if (`${domain}/${folder}${path}`.length > NAME_LENGTH_MAX) return false;
  if (!DOMAIN.test(domain) && !PATH_PART.test(domain)) return false;
  return path.split('/').every((part) => PATH_PART.test(part));
}

function isDigest(digest: string): boolean {
  const colon = digest.indexOf(':');
  const digits = digest.slice(colon + 1);
  const length = DIGEST_LENGTHS[digest.slice(0, Math.max(colon, 0))];
  return length === digits.length && /^[a-f0-9]*$/.test(digits);
}
