/** Quantities as values. */
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  quantitySign,
  roundedQuantity,
  subtractQuantities,
  wholeQuantity,
} from '../../../codec/leaves/quantity.ts';
import { Failure, INT_MAX, INT_MIN, type CallableValue, type Value } from '../values.ts';

const NO_INTEGER = new Failure('cannot convert value to integer');

class Quantity implements CallableValue {
  readonly typeName = 'kubernetes.Quantity';
  readonly #amount: string;

  constructor(amount: string) {
    this.#amount = amount;
  }

  get sign(): bigint {
    return BigInt(quantitySign(this.#amount));
  }

  equals(other: Value): boolean {
    return other instanceof Quantity && compareQuantities(this.#amount, other.#amount) === 0;
  }

  call(name: string, [other]: readonly Value[]): Value | undefined {
    switch (name) {
      case 'asInteger':
        return this.#whole() ?? NO_INTEGER;
      case 'isInteger':
        return this.#whole() !== undefined;
      case 'asApproximateFloat':
        return approximate(this.#amount);
      case 'add':
        return combined(other, (amount) => addQuantities(this.#amount, amount));
      case 'sub':
        return combined(other, (amount) => subtractQuantities(this.#amount, amount));
      default:
        return other instanceof Quantity ? this.#compared(name, other) : undefined;
    }
  }

  static amountOf(value: Value | undefined): string | undefined {
    if (value instanceof Quantity) return value.#amount;
    return typeof value === 'bigint' ? String(value) : undefined;
  }

  #compared(name: string, other: Quantity): Value | undefined {
    const order = compareQuantities(this.#amount, other.#amount);
    if (name === 'compareTo') return BigInt(order);
    if (name === 'isGreaterThan') return order > 0;
    return name === 'isLessThan' ? order < 0 : undefined;
  }

  #whole(): bigint | undefined {
    if (compareQuantities(roundedQuantity(this.#amount), this.#amount) !== 0) return undefined;
    const whole = wholeQuantity(this.#amount);
    const isExact = compareQuantities(String(whole), this.#amount) === 0;
    return isExact && whole >= INT_MIN && whole <= INT_MAX ? whole : undefined;
  }
}

function combined(other: Value | undefined, sum: (amount: string) => string): Value | undefined {
  const amount = Quantity.amountOf(other);
  return amount === undefined ? undefined : new Quantity(sum(amount));
}

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];

function approximate(amount: string): number {
  const [, digits = '', unit = ''] = /^([+-]?[0-9.]+)(.*)$/.exec(amount) ?? [];
  const number = Number(digits);
  const power = BINARY.indexOf(unit);
  if (power > 0) return number * 1024 ** power;
  const exponent = DECIMAL.indexOf(unit);
  const shift = exponent === -1 ? Number(unit.slice(1)) : 3 * (exponent - 3);
  return Number(`${number}e${shift}`);
}

/** The quantity that a text is; a failure for one that is none. */
export function quantityOf(text: string): Value {
  try {
    return new Quantity(canonicalQuantity(text));
  } catch (error) {
    return new Failure((error as Error).message);
  }
}

export function signOf(value: Value): Value | undefined {
  return value instanceof Quantity ? value.sign : undefined;
}
