/** The names of drivers, pools, devices and their attributes (README.md#names). */
import { ownRelease } from '../../release/release.ts';
import {
  addProblems,
  invalid,
  required,
  tooLong,
  type FieldError,
} from '../../semantics/errors/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../semantics/metadata/names.ts';

const DRIVER_BYTES_MAX = 63;
const POOL_BYTES_MAX = 253;
const ID_BYTES_MAX = 32;
const UUID_LENGTH = 36;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const IDENTIFIER_SOURCE = '[A-Za-z_][A-Za-z0-9_]*';
const IDENTIFIER = new RegExp(`^${IDENTIFIER_SOURCE}$`);
const IDENTIFIER_HINT =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of " +
  "alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for " +
  `validation is '${IDENTIFIER_SOURCE}')`;
const NORMAL_UUID =
  'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with ' +
  'lowercase hexadecimal characters';
const SLASH_EXPECTED = 'a fully qualified name must be a domain and a name separated by a slash';

/**
 * The name of a driver: a subdomain in letters of either case. Where a rule of the type is
 * declared, its text says so.
 */
export function checkDriver(
  driver: string,
  field: string,
  errors: FieldError[],
  isDeclared = false,
): void {
  if (driver === '') {
    errors.push(required(field));
    return;
  }
  if (Buffer.byteLength(driver) > DRIVER_BYTES_MAX) errors.push(tooLong(field, DRIVER_BYTES_MAX));
  const ofEitherCase = isDeclared && ownRelease().has('declaredRules');
  const problems = ofEitherCase ? driverProblems(driver) : dnsSubdomain(driver.toLowerCase());
  addProblems(problems, field, driver, errors);
}

/** What a declared rule says of a subdomain in letters of either case. */
export function driverProblems(driver: string): readonly string[] {
  return dnsSubdomain(driver.toLowerCase()).map(inEitherCase);
}

function inEitherCase(problem: string): string {
  return problem
    .replace('a lowercase RFC 1123', 'an RFC 1123')
    .replace('lower case alphanumeric', 'alphanumeric')
    .replace("'example.com'", "'Example.com'");
}

/** The name of a pool: subdomains between slashes. */
export function checkPool(pool: string, field: string, errors: FieldError[]): void {
  if (pool === '') {
    errors.push(required(field));
    return;
  }
  if (Buffer.byteLength(pool) > POOL_BYTES_MAX) errors.push(tooLong(field, POOL_BYTES_MAX));
  for (const part of pool.split('/')) addProblems(dnsSubdomain(part), field, part, errors);
}

/** The name of a device, a request or a set of counters. */
export function checkLabelOf(name: string, field: string, errors: FieldError[]): void {
  addProblems(dnsLabel(name), field, name, errors);
}

/** The name of a class, which must be there. */
export function checkClassName(name: string, field: string, errors: FieldError[]): void {
  if (name === '') errors.push(required(field));
  else addProblems(dnsSubdomain(name), field, name, errors);
}

export function checkUuid(uid: string, field: string, errors: FieldError[]): void {
  if (!UUID.test(uid))
    errors.push(invalid(field, uid, `error validating uid: ${uuidProblem(uid)}`));
  else if (uid !== uid.toLowerCase()) errors.push(invalid(field, uid, NORMAL_UUID));
}

function uuidProblem(uid: string): string {
  const { length } = Buffer.from(uid);
  return length === UUID_LENGTH ? 'invalid UUID format' : `invalid UUID length: ${length}`;
}

/** The name of an attribute or a capacity, perhaps with a domain. */
export function checkQualifiedName(name: string, field: string, errors: FieldError[]): void {
  const parts = name.split('/');
  const [first = '', second = ''] = parts;
  if (parts.length === 1) checkIdentifier(first, field, errors);
  // The reference does not look at names with more slashes.
  if (parts.length !== 2) return;
  if (first === '') errors.push(invalid(field, '', 'the domain must not be empty'));
  else checkDriver(first, field, errors);
  if (second === '') errors.push(invalid(field, '', 'the name must not be empty'));
  else checkIdentifier(second, field, errors);
}

/** Such a name that has a domain. */
export function checkFullName(name: string, field: string, errors: FieldError[]): void {
  checkQualifiedName(name, field, errors);
  if (!name.includes('/')) errors.push(invalid(field, name, SLASH_EXPECTED));
}

function checkIdentifier(id: string, field: string, errors: FieldError[]): void {
  if (Buffer.byteLength(id) > ID_BYTES_MAX) errors.push(tooLong(field, ID_BYTES_MAX));
  if (!IDENTIFIER.test(id)) errors.push(invalid(field, id, IDENTIFIER_HINT));
}

/** A key in a path: the middle of one with more bytes is left out. */
export function shownKey(key: string, lengthMax: number): string {
  const most = Math.max(lengthMax, SHOWN_MIN);
  // No key is longer than three times its characters.
  if (key.length * 3 <= most) return key;
  const bytes = Buffer.from(key);
  if (bytes.length <= most) return key;
  const remaining = most - ELLIPSIS.length;
  const end = Math.floor(remaining / 2);
  const [first, last] = [bytes.subarray(0, Math.ceil(remaining / 2)), bytes.subarray(-end)];
  return first.toString() + ELLIPSIS + last.toString();
}

const SHOWN_MIN = 16;
const ELLIPSIS = '...';
