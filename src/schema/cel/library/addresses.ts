/** IP addresses and ranges of them as values. */
import { addressProblem, prefixProblem } from '../../../semantics/validation/address-problem.ts';
import {
  formatIp,
  ipBits,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseIp,
  parseIpRange,
  type IpAddress,
} from '../../../semantics/validation/ip-address.ts';
import { quoteText } from '../../../codec/json/strict-quote.ts';
import { isIpAddress } from '../strings.ts';
import { Failure, type CallableValue, type Value } from '../values.ts';

class Address implements CallableValue {
  readonly typeName = 'net.IP';
  readonly ip: IpAddress;

  constructor(ip: IpAddress) {
    this.ip = ip;
  }

  get text(): string {
    return formatIp(this.ip);
  }

  /** Its bytes. */
  get size(): number {
    return ipBits(this.ip.family) / 8;
  }

  equals(other: Value): boolean {
    return other instanceof Address && other.text === this.text;
  }

  call(name: string): Value | undefined {
    const { ip } = this;
    switch (name) {
      case 'family':
        return ip.family === 'IPv4' ? 4n : 6n;
      case 'isUnspecified':
        return isUnspecified(ip);
      case 'isLoopback':
        return isLoopback(ip);
      case 'isLinkLocalMulticast':
        return isLinkLocalMulticast(ip);
      case 'isLinkLocalUnicast':
        return isLinkLocalUnicast(ip);
      case 'isGlobalUnicast':
        return !(isUnspecified(ip) || isLoopback(ip) || isMulticast(ip) || isLinkLocalUnicast(ip));
      default:
        return undefined;
    }
  }
}

/** The address of all hosts counts as one too. */
function isMulticast({ family, value }: IpAddress): boolean {
  if (family === 'IPv6') return value >> 120n === 0xffn;
  return value >> 28n === 0xen || value === 0xffffffffn;
}

class AddressRange implements CallableValue {
  readonly typeName = 'net.CIDR';
  readonly #ip: IpAddress;
  readonly #length: number;

  constructor(ip: IpAddress, length: number) {
    this.#ip = ip;
    this.#length = length;
  }

  get text(): string {
    return `${formatIp(this.#ip)}/${this.#length}`;
  }

  /** The bytes of its addresses that are all the same. */
  get size(): number {
    return Math.ceil(this.#length / 8);
  }

  equals(other: Value): boolean {
    return other instanceof AddressRange && other.text === this.text;
  }

  call(name: string, [other]: readonly Value[]): Value | undefined {
    switch (name) {
      case 'ip':
        return new Address(this.#ip);
      case 'prefixLength':
        return BigInt(this.#length);
      case 'masked': {
        const bits = this.#hostBits();
        const value = (this.#ip.value >> bits) << bits;
        return new AddressRange({ ...this.#ip, value }, this.#length);
      }
      case 'containsIP': {
        const ip = typeof other === 'string' ? addressOf(other) : other;
        return ip instanceof Address ? this.#contains(ip.ip) : ip;
      }
      case 'containsCIDR': {
        const range = typeof other === 'string' ? rangeOf(other) : other;
        if (!(range instanceof AddressRange)) return range;
        return this.#length <= range.#length && this.#contains(range.#ip);
      }
      default:
        return undefined;
    }
  }

  #hostBits(): bigint {
    return BigInt(ipBits(this.#ip.family) - this.#length);
  }

  #contains({ family, value }: IpAddress): boolean {
    const bits = this.#hostBits();
    return family === this.#ip.family && value >> bits === this.#ip.value >> bits;
  }
}

/** The address that a text is; a failure for one that is none. */
export function addressOf(text: string): Value {
  const ip = parseIp(text);
  if (ip !== undefined && isIpAddress(text)) return new Address(ip);
  const quoted = quoteText(text);
  const problem = addressProblem(text);
  if (problem !== '') {
    return new Failure(
      `IP Address ${quoted} parse error during conversion from string: ${problem}`,
    );
  }
  return text.includes('%')
    ? new Failure(`IP address ${quoted} with zone value is not allowed`)
    : mapped(text);
}

function mapped(text: string): Failure {
  return new Failure(`IPv4-mapped IPv6 address ${quoteText(text)} is not allowed`);
}

/** Whether a text is an address in its one form; a failure for one that is no address. */
export function isCanonical(text: string): Value {
  const address = addressOf(text);
  return address instanceof Address ? address.text === text : address;
}

/** The range that a text is; a failure for one that is none. */
export function rangeOf(text: string): Value {
  const range = parseIpRange(text);
  const address = text.slice(0, Math.max(0, text.indexOf('/')));
  const ip = range && isIpAddress(address) ? parseIp(address) : undefined;
  if (range !== undefined && ip !== undefined) return new AddressRange(ip, range.prefixLength);
  const start = 'network address parse error during conversion from string: ';
  const problem = prefixProblem(text);
  return new Failure(start + (problem === '' ? mapped(text).message : start + problem));
}
