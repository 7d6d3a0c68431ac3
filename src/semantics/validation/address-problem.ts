/**
 * Why texts are no IP addresses and ranges, in the words of the library that the reference reads
 * them by (Go's `net/netip`). It takes zones, but no leading zeros.
 */
import { quoteText } from '../../codec/json/strict-quote.ts';

const DECIMAL_START = /^\d*/;
const GROUP_START = /^[0-9a-fA-F]*/;
const GROUP_DIGITS_MAX = 4;
const GROUPS = 8;
const FIELDS = 4;

interface Why {
  readonly message: string;
  /** The rest of the text at which reading has stopped. */
  readonly at?: string;
}

/** The problem of an address; '' for none. */
export function addressProblem(text: string): string {
  const [first] = /[.:%]/.exec(text) ?? [];
  const why = first === undefined ? { message: 'unable to parse IP' } : whyNot(text, first);
  if (why === undefined) return '';
  const at = why.at === undefined ? '' : ` (at ${quoteText(why.at)})`;
  return `ParseAddr(${quoteText(text)}): ${why.message}${at}`;
}

/** The problem of a range such as `10.0.0.0/8`; '' for none. */
export function prefixProblem(text: string): string {
  const slash = text.lastIndexOf('/');
  const message =
    slash === -1 ? "no '/'" : partProblem(text.slice(0, slash), text.slice(slash + 1));
  return message === '' ? '' : `netip.ParsePrefix(${quoteText(text)}): ${message}`;
}

function partProblem(address: string, bits: string): string {
  const problem = addressProblem(address);
  if (problem !== '') return problem;
  if (address.includes('%')) return 'IPv6 zones cannot be present in a prefix';
  if (!/^(?:\d|[1-9]\d+)$/.test(bits)) return `bad bits after slash: ${quoteText(bits)}`;
  return Number(bits) > (address.includes(':') ? 128 : 32) ? 'prefix length out of range' : '';
}

function whyNot(text: string, first: string): Why | undefined {
  if (first === '.') return whyNotV4(text);
  return first === ':' ? whyNotV6(text) : { message: 'missing IPv6 address' };
}

function whyNotV4(text: string): Why | undefined {
  let fields = 0;
  let rest = text;
  for (;;) {
    const [digits = ''] = DECIMAL_START.exec(rest) ?? [];
    if (/^0\d/.test(digits)) return { message: 'IPv4 field has octet with leading zero' };
    if (Number(digits) > 0xff) return { message: 'IPv4 field has value >255' };
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith('.')) return { message: 'unexpected character', at: rest };
    if (digits === '' || rest === '.') {
      // A second point in a row is where a digit is missing.
      return { message: 'IPv4 field must have at least one digit', at: rest };
    }
    fields += 1;
    if (fields === FIELDS) return { message: 'IPv4 address too long' };
    rest = rest.slice(1);
  }
  return fields < FIELDS - 1 ? { message: 'IPv4 address too short' } : undefined;
}

function whyNotV6(text: string): Why | undefined {
  const [address = '', ...zones] = text.split('%');
  if (zones.length > 0 && zones.join('%') === '') {
    return { message: 'zone must be a non-empty string' };
  }
  let rest = address;
  let hasGap = rest.startsWith('::');
  if (hasGap) rest = rest.slice(2);
  if (hasGap && rest === '') return undefined;
  let groups = 0;
  while (groups < GROUPS) {
    const [digits = ''] = GROUP_START.exec(rest) ?? [];
    if (digits.length > GROUP_DIGITS_MAX) {
      return { message: 'each group must have 4 or less digits', at: rest };
    }
    if (digits === '') {
      return { message: 'each colon-separated field must have at least one digit', at: rest };
    }
    if (rest.charAt(digits.length) === '.') {
      const why = whyNotEmbedded(rest, groups, hasGap);
      if (why !== undefined) return why;
      groups += 2;
      rest = '';
      break;
    }
    groups += 1;
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return { message: 'unexpected character, want colon', at: rest };
    if (rest === ':') return { message: 'colon must be followed by more characters', at: rest };
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (hasGap) return { message: 'multiple :: in address', at: rest };
    hasGap = true;
    rest = rest.slice(1);
    if (rest === '') break;
  }
  if (rest !== '') return { message: 'trailing garbage after address', at: rest };
  if (groups < GROUPS) return hasGap ? undefined : { message: 'address string too short' };
  return hasGap ? { message: 'the :: must expand to at least one field of zeros' } : undefined;
}

/** Tells why a text is no IPv4 address at the end of an IPv6 one. */
function whyNotEmbedded(rest: string, groups: number, hasGap: boolean): Why | undefined {
  if (!hasGap && groups !== GROUPS - 2) {
    const message = 'embedded IPv4 address must replace the final 2 fields of the address';
    return { message, at: rest };
  }
  if (groups > GROUPS - 2) {
    const message = 'too many hex fields to fit an embedded IPv4 at the end of the address';
    return { message, at: rest };
  }
  return whyNotV4(rest);
}
