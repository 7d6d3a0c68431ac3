import fc from 'fast-check';
import t from 'tap';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  keptQuantity,
  milliQuantity,
  resourceQuantity,
  roundedQuantity,
  subtractQuantities,
  wholeQuantity,
} from '../../src/codec/leaves/quantity.ts';

const CANONICAL: Record<string, string> = {
  '0': '0',
  '-0': '0',
  '-': '0',
  '+': '0',
  '0Ki': '0',
  '0e5': '0',
  '1': '1',
  '+1': '1',
  '-1': '-1',
  '007': '7',
  '.5': '500m',
  '5.': '5',
  '0.5': '500m',
  '0.50': '500m',
  '1.1': '1100m',
  '1500m': '1500m',
  '1000m': '1',
  '1000': '1k',
  '10000': '10k',
  '12500': '12500',
  '1000k': '1M',
  '1000E': '1000E',
  '0.000000001': '1n',
  '0.0000000001': '1n',
  '1.0000000001': '1000000001n',
  '-0.0000000001': '-1n',
  '1000n': '1u',
  '1Ki': '1Ki',
  '1024': '1024',
  '1024Ki': '1Mi',
  '1024Mi': '1Gi',
  '1.5Gi': '1536Mi',
  '0.5Gi': '512Mi',
  '0.5Ki': '512',
  '0.1Ki': '102400m',
  '1000Ki': '1000Ki',
  '1.1Ki': '1126400m',
  '-1024Mi': '-1Gi',
  '0.9999999999': '1',
  '1.9999999999': '2',
  '129.9999999999': '130',
  '8Ei': '9223372036854775807',
  '1000000Ei': '9223372036854775807',
  '1e3': '1e3',
  '1E3': '1e3',
  '12e2': '1200',
  '12e4': '120e3',
  '1e-3': '1e-3',
  '1.5e3': '1500',
  '1e+6': '1e6',
  '1e-10': '1e-9',
  '1e-2000000000': '1e-9',
  '1e2000000000': '100e1999999998',
};

/** The kept form, anywhere and in a list of resources; where one is absent, the canonical form. */
const KEPT: Readonly<Record<string, readonly [string, string?]>> = {
  ...Object.fromEntries(
    '0 01 +5 5. 1E3 1e+3 1E+3 1e03 1e0 1e-3 1E-3 001Ki +1Ki 1Ki 100m 1k 1.001 -01 1M 12Gi 1Ti'
      .split(' ')
      .map((text) => [text, [text]]),
  ),
  '00': ['0'],
  '-0': ['0'],
  '0.0': ['0'],
  '0e0': ['0'],
  '.5': ['500m'],
  '0.1': ['100m'],
  '1.50': ['1500m'],
  '1000': ['1k'],
  '1000m': ['1'],
  '8Ki': ['8Ki'],
  '1024Ki': ['1Mi'],
  '01.0Ki': ['1Ki'],
  '016Ki': ['16Ki'],
  '+1Pi': ['1Pi'],
  '1.123456789': ['1.123456789', '1124m'],
  '100u': ['100u', '1m'],
  '100n': ['100n', '1m'],
  '1001u': ['1001u', '2m'],
  '0.5m': ['500u', '1m'],
  '-1.5m': ['-1500u', '-2m'],
  '1.0000': ['1'],
  '0.1n': ['1n', '1m'],
  '0.0001Ki': ['102400u', '103m'],
  '123456789012345678': ['123456789012345678'],
  '0123456789012345678': ['0123456789012345678'],
  '01234567890123456789': ['1234567890123456789'],
};

t.test('what is kept as it is written', async (t) => {
  for (const [text, [anywhere, inResources = anywhere]] of Object.entries(KEPT)) {
    t.equal(keptQuantity(text), anywhere, text);
    t.equal(resourceQuantity(anywhere), inResources, `${text} of a resource`);
    t.equal(keptQuantity(anywhere), anywhere, 'and stays so');
    t.equal(resourceQuantity(inResources), inResources);
  }
});

t.test('canonical text', async (t) => {
  for (const [text, canonical] of Object.entries(CANONICAL)) {
    t.equal(canonicalQuantity(text), canonical, `${text} is ${canonical}`);
  }
});

t.test('what is not a quantity says why', async (t) => {
  const regex = /^quantities must match the regular expression '\^\(\[\+-\]\?\[0-9\.\]\+\)/;
  for (const text of ['', ' ', 'x', 'Mi', '1 Gi', '1.5.5 ', '1Gi!', '1e3e', '1KI', '1.1.1', '..']) {
    t.throws(() => canonicalQuantity(text), { message: regex }, JSON.stringify(text));
  }
  for (const text of ['1i', '1ki', '1mi', '1e', '1nn', '1e99999999999']) {
    t.throws(() => canonicalQuantity(text), { message: /parse quantity's suffix/ }, text);
  }
  for (const text of ['.', '-.', '.M']) {
    t.throws(() => canonicalQuantity(text), { message: /parse numeric part/ }, text);
  }
});

t.test('as many digits as a client likes', async (t) => {
  const digits = '1'.repeat(100_000);
  t.equal(canonicalQuantity(`${digits}Gi`), '9223372036854775807');
  t.equal(canonicalQuantity(`0.${digits}Ki`), '113777777778n');
  t.equal(canonicalQuantity(`1.${'0'.repeat(100_000)}1Ki`), '1024000000001n');
  t.equal(canonicalQuantity(`1.${'0'.repeat(100_000)}Ki`), '1Ki');
  t.equal(canonicalQuantity(`1.${'9'.repeat(100_000)}`), '2');
  t.throws(() => canonicalQuantity(`${digits}!`), { message: /regular expression/ });
});

t.test('order', async (t) => {
  const ascending = ['-1Ki', '-1', '-1m', '0', '1n', '999m', '1', '1.5', '1k', '1Ki', '1M', '1e9'];
  for (const [index, a] of ascending.entries()) {
    for (const [other, b] of ascending.entries()) {
      t.equal(compareQuantities(a, b), Math.sign(index - other), `${a} to ${b}`);
    }
  }
  t.equal(compareQuantities('1024Mi', '1Gi'), 0);
  t.equal(compareQuantities('1e3', '1k'), 0);
});

t.test('whole ones and thousandths, rounded away from zero', async (t) => {
  const rows: readonly (readonly [string, bigint, bigint])[] = [
    ['0', 0n, 0n],
    ['1', 1n, 1_000n],
    ['1500m', 2n, 1_500n],
    ['-1500m', -2n, -1_500n],
    ['1u', 1n, 1n],
    ['1Ki', 1_024n, 1_024_000n],
    ['5P', 5n * 10n ** 15n, 5n * 10n ** 18n],
    ['1e50', 2n ** 63n - 1n, (2n ** 63n - 1n) * 1_000n],
  ];
  for (const [text, whole, thousandths] of rows) {
    t.equal(wholeQuantity(text), whole, text);
    t.equal(milliQuantity(text), thousandths, `${text} in thousandths`);
  }
});

t.test('canonical text is its own canonical text and has the same value', async () => {
  const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'e-5');
  const number = fc.tuple(fc.integer(), fc.nat({ max: 999 }), suffix);
  fc.assert(
    fc.property(number, ([whole, fraction, unit]) => {
      const canonical = canonicalQuantity(`${whole}.${fraction}${unit}`);
      return canonicalQuantity(canonical) === canonical;
    }),
    { seed: 1 },
  );
  fc.assert(
    fc.property(fc.integer(), suffix, (whole, unit) => {
      if (unit === 'e-5') return true;
      return compareQuantities(canonicalQuantity(`${whole}${unit}`), `${whole}${unit}`) === 0;
    }),
    { seed: 1 },
  );
});

t.test('sums have the form of what comes first', async (t) => {
  const rows: [a: string, b: string, sum: string, difference: string][] = [
    ['1', '2', '3', '-1'],
    ['999', '1', '1k', '998'],
    ['250m', '750m', '1', '-500m'],
    ['1', '1m', '1001m', '999m'],
    ['1Gi', '512Mi', '1536Mi', '512Mi'],
    ['1Gi', '1G', '2073741824', '73741824'],
    ['1G', '1Gi', '2073741824', '-73741824'],
    ['0', '1Gi', '1Gi', '-1Gi'],
    ['1Gi', '1Gi', '2Gi', '0'],
    ['1Ki', '1m', '1024001m', '1023999m'],
    ['1e3', '1', '1001', '999'],
    ['1e3', '1e3', '2e3', '0'],
    ['-1', '1', '0', '-2'],
    ['1n', '1', '1000000001n', '-999999999n'],
  ];
  for (const [a, b, sum, difference] of rows) {
    t.equal(addQuantities(a, b), sum, `${a} + ${b}`);
    t.equal(subtractQuantities(a, b), difference, `${a} - ${b}`);
  }
  t.equal(roundedQuantity('1001m'), '2');
  t.equal(roundedQuantity('1536Mi'), '1536Mi');
  t.equal(roundedQuantity('1E3'), '1E3', 'a whole number stays as it is written');
});

t.test('what is added can be taken away again', async (t) => {
  // Below what an integer of 64 bits holds: beyond that amounts are cut off.
  const quantity = fc.tuple(
    fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
    fc.constantFrom('', 'm', 'u', 'k', 'M', 'Ki', 'Mi'),
  );
  const texts = quantity.map(([number, suffix]) => `${number}${suffix}`);
  const property = fc.property(texts, texts, (a, b) => {
    return compareQuantities(subtractQuantities(addQuantities(a, b), b), a) === 0;
  });
  t.doesNotThrow(() => fc.assert(property));
});
