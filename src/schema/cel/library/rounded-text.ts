/** Numbers with so many digits. */

const FRACTION_BITS = 52;
const SMALLEST_EXPONENT = -1074;

/**
 * A finite number with `digits` after the point, by its exact value: what is half way between two
 * goes to the even one. `Number.toFixed` takes the larger one, and has no digits from 1e21 on.
 */
export function roundedText(value: number, digits: number): string {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const whole = bits.getBigUint64(0);
  const sign = whole >> 63n === 1n ? '-' : '';
  const power = Number((whole >> BigInt(FRACTION_BITS)) & 0x7ffn);
  const fraction = whole & ((1n << BigInt(FRACTION_BITS)) - 1n);
  const isNormal = power > 0;
  const mantissa = isNormal ? fraction | (1n << BigInt(FRACTION_BITS)) : fraction;
  const exponent = SMALLEST_EXPONENT + (isNormal ? power - 1 : 0);
  const scaled = mantissa * 10n ** BigInt(digits);
  const rounded = exponent >= 0 ? scaled << BigInt(exponent) : halved(scaled, BigInt(-exponent));
  const text = String(rounded).padStart(digits + 1, '0');
  const point = text.length - digits;
  return sign + text.slice(0, point) + (digits === 0 ? '' : `.${text.slice(point)}`);
}

/** Divides by a power of two. */
function halved(number: bigint, power: bigint): bigint {
  const floor = number >> power;
  const rest = number - (floor << power);
  const half = 1n << (power - 1n);
  const isUp = rest > half || (rest === half && (floor & 1n) === 1n);
  return isUp ? floor + 1n : floor;
}
