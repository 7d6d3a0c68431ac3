/**
 * Query parameters, with the reference's rules for booleans and integers
 * (../README.md#query-parameters).
 */
import { isAtMost } from '../../base/text/decimal.ts';
import { quoteText } from '../../codec/json/strict-quote.ts';
import { badRequest } from '../../semantics/errors/status.ts';

const INT64_MAX = 0x7fff_ffff_ffff_ffffn;
const NO_PARAMETERS = new URLSearchParams();

export class Query {
  readonly #parameters: URLSearchParams;

  constructor(text: string | undefined) {
    this.#parameters =
      text === undefined || text === '' ? NO_PARAMETERS : new URLSearchParams(text);
  }

  /** '' when absent. */
  text(name: string): string {
    return this.#parameters.get(name) ?? '';
  }

  all(name: string): readonly string[] {
    return this.#parameters.getAll(name);
  }

  has(name: string): boolean {
    return this.#parameters.has(name);
  }

  /** `false` and `0` are false in any case; anything else is true, the empty value too. */
  flag(name: string): boolean {
    const value = this.#parameters.get(name);
    return value !== null && value.toLowerCase() !== 'false' && value !== '0';
  }

  /** 0 when absent. Throws StatusError 400 when it is no integer, or empty. */
  integer(name: string): number {
    const value = this.#parameters.get(name);
    if (value === null) return 0;
    const digits = value.replace(/^[+-]/, '');
    const isInteger = /^[0-9]+$/.test(digits);
    if (!isInteger || !isAtMost(digits, INT64_MAX)) {
      const why = isInteger ? 'value out of range' : 'invalid syntax';
      throw badRequest(`strconv.ParseInt: parsing ${quoteText(value)}: ${why}`);
    }
    return Number(value);
  }
}
