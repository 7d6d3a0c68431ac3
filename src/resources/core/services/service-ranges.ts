/** The ranges that services get their addresses and ports from, as the command line says them. */
import { formatV4, parseIpRange } from '../../../semantics/validation/ip-address.ts';

/** Whole numbers from `first` to `last`, inclusive. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
  /** As it is shown in errors. */
  readonly text: string;
}

const PREFIX_MIN = 12;
const PREFIX_MAX = 29;
const PORT_RANGE = /^([0-9]{1,5})-([0-9]{1,5})$/;
const PORT_MAX = 65_535;

/** The addresses that services may have in `10.0.0.0/24`: all but its first and its last. */
export function parseClusterIpRange(text: string): NumberRange {
  const range = parseIpRange(text);
  if (range === undefined) throw new Error(`"${text}" is no range of addresses like 10.0.0.0/24`);
  if (range.family !== 'IPv4') throw new Error(`"${text}" is no range of IPv4 addresses`);
  const { prefixLength } = range;
  if (prefixLength < PREFIX_MIN || prefixLength > PREFIX_MAX) {
    const fitting = `give a prefix from /${PREFIX_MIN} to /${PREFIX_MAX}`;
    throw new Error(
      `"${text}" has too ${prefixLength < PREFIX_MIN ? 'many' : 'few'} addresses: ${fitting}`,
    );
  }
  const first = Number(range.first);
  const size = 2 ** (32 - prefixLength);
  return {
    first: first + 1,
    last: first + size - 2,
    text: `${formatV4(first)}/${prefixLength}`,
  };
}

/** The address of the API's own Service. */
export function firstServiceAddress(range: string): string {
  return formatV4(parseClusterIpRange(range).first);
}

/** A range of ports such as `30000-32767`, both ends included. */
export function parseNodePortRange(text: string): NumberRange {
  const [, first, last] = PORT_RANGE.exec(text) ?? [];
  if (first === undefined || last === undefined) {
    throw new Error(`"${text}" is no range of ports like 30000-32767`);
  }
  const range = { first: Number(first), last: Number(last), text };
  if (range.first < 1 || range.last > PORT_MAX) {
    throw new Error(`"${text}" is not within the ports from 1 to ${PORT_MAX}`);
  }
  if (range.first > range.last) throw new Error(`"${text}" ends before it begins`);
  return { ...range, text: `${range.first}-${range.last}` };
}
