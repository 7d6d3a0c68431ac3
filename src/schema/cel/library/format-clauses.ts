/** The clauses of a format, as `%.2f`. */
import { Failure } from '../values.ts';

export interface Clause {
  readonly verb: string;
  /** Undefined where none is said. */
  readonly precision: number | undefined;
}

const CLAUSE = /%(?:%|(?:\.(\d*))?([^]?))/g;
/** The largest signed integer of 64 bits. */
const PRECISION_MAX = 2n ** 63n - 1n;
const VERBS: ReadonlySet<string> = new Set('sdfexXob');

/**
 * Puts a text in the place of each clause. `make` gets the clause and its number; a Failure of it
 * is the result, as is the first clause that is none. `values` is how many values there are.
 */
export function replaceClauses(
  format: string,
  values: number,
  make: (clause: Clause, at: number) => string | Failure,
): { readonly text: string | Failure; readonly clauses: number } {
  let failure: Failure | undefined;
  let clauses = 0;
  const text = format.replace(CLAUSE, (clause, digits: string | undefined, verb: string) => {
    if (failure !== undefined) return '';
    if (clause === '%%') return '%';
    const made = clause === '%' ? new Failure('unexpected end of string') : madeOf(digits, verb);
    if (made instanceof Failure) failure = made;
    return made instanceof Failure ? '' : made;
  });
  return { text: failure ?? text, clauses };

  function madeOf(digits: string | undefined, verb: string): string | Failure {
    if (clauses >= values) return new Failure(`index ${clauses} out of range`);
    clauses += 1;
    if (digits === '') return noPrecision(digits, 'invalid syntax');
    if (digits !== undefined && BigInt(digits) > PRECISION_MAX) {
      return noPrecision(digits, 'value out of range');
    }
    if (!VERBS.has(verb)) return unreadable(`unrecognized formatting clause "${verb}"`);
    const precision = digits === undefined ? undefined : Number(digits);
    return make({ verb, precision }, clauses - 1);
  }
}

function noPrecision(digits: string, why: string): Failure {
  const at = 'error while parsing precision: error while converting precision to integer';
  return unreadable(`${at}: strconv.Atoi: parsing ${JSON.stringify(digits)}: ${why}`);
}

function unreadable(why: string): Failure {
  return new Failure(`could not parse formatting clause: ${why}`);
}
