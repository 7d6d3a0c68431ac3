/** Query parameters, with the reference's rules for booleans and integers (API-FACTS 1.2). */
import { badRequest } from '../semantics/status.ts';

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

  /** 0 when absent. Throws StatusError 400 when it is no integer. */
  integer(name: string): number {
    const value = this.text(name);
    if (value === '') return 0;
    if (!/^[+-]?[0-9]{1,18}$/.test(value)) {
      const shown = JSON.stringify(value);
      throw badRequest(`strconv.ParseInt: parsing ${shown}: invalid syntax`);
    }
    return Number(value);
  }
}
