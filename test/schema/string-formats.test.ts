// The formats of strings, as the reference checks them, and patterns.
import t from 'tap';
import { matchesPattern, patternProblem, PatternError } from '../../src/schema/pattern.ts';
import { formatCheck } from '../../src/schema/string-formats.ts';

const FORMATS: Readonly<
  Record<string, readonly [valid: readonly string[], not: readonly string[]]>
> = {
  bsonobjectid: [['507f1f77bcf86cd799439011'], ['507f1f77bcf86cd79943901']],
  uri: [
    [
      'http://a.b/c?d#e',
      'https://u:p@h:80/x%20y',
      '/path?q=%',
      'mailto:x@y',
      '*',
      'http://[::1%25eth0]:80/',
      '//x/y',
      'http://é/',
    ],
    [
      '',
      'a/b',
      ':x',
      '/%zz',
      'http://a b/',
      'http://%41/',
      'http://h:8a/',
      'http://[::1]x',
      'http://[::1',
    ],
  ],
  email: [
    ['a@b', 'A B <a@b.c>', '"q x"@b', 'a@b (d)', 'g: a@b;', '<a@b>', 'é@é', '"a" <b@c>'],
    [
      '',
      'a',
      '@b',
      'a@',
      'a..b@c',
      '.a@b',
      'a b@c',
      'a@b, c@d',
      'g: a@b, c@d;',
      'g:;',
      '(c) a@b',
      'x <a@b> y',
      '""@b',
      'a@b (c',
      '=?foo?q?x?= <a@b>',
      'a@b (=?foo?q?x?=)',
      'a@[1.2.3.4]',
    ],
  ],
  hostname: [
    ['a', 'a.b.com', 'a-b', 'é.com', `${'a'.repeat(63)}.com`],
    ['', '-a', 'a_b', 'a.b.c1', `${'a'.repeat(64)}.com`, 'x.'.repeat(130) + 'com'],
  ],
  ipv4: [
    ['1.2.3.4', '01.02.03.04', '::ffff:1.2.3.4'],
    ['1.2.3', '256.1.1.1', '::1'],
  ],
  ipv6: [
    ['::1', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4'],
    ['fe80::1%eth0', '00001::', '::ffff:01.2.3.4', '1.2.3.4'],
  ],
  cidr: [
    ['10.0.0.0/24', '::/0', '010.0.0.0/8'],
    ['10.0.0.0/33', '1.2.3.4', '::1/129'],
  ],
  mac: [
    ['00:11:22:33:44:55', '00-11-22-33-44-55', '0011.2233.4455'],
    ['00:11-22:33:44:55', '0:1:2:3:4:5'],
  ],
  uuid: [
    ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'],
    ['123e4567'],
  ],
  uuid3: [['123e4567-e89b-32d3-a456-426614174000'], ['123e4567-e89b-12d3-a456-426614174000']],
  uuid4: [['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-42d3-c456-426614174000']],
  uuid5: [['123e4567-e89b-52d3-b456-426614174000'], ['123e4567-e89b-42d3-b456-426614174000']],
  isbn: [['0321751043', '978-0321751041', '080442957X'], ['0321751044']],
  isbn10: [['0-321-75104 3'], ['978-0321751041']],
  isbn13: [['978-0321751041'], ['0321751043']],
  creditcard: [['4111-1111 1111-1111'], ['4111111111111112']],
  ssn: [['123-45-6789'], ['123456789', '12345-6789']],
  hexcolor: [['#fff', 'FFFFFF'], ['#ffff']],
  rgbcolor: [['rgb( 255 , 1,2 )'], ['rgb(256,0,0)', 'rgb(01,0,0)']],
  byte: [
    ['YQ==', 'YWI=', 'YWJj'],
    ['', 'YQ=', 'YQ', '===='],
  ],
  password: [['', 'x'], []],
  date: [
    ['2020-02-29', '2000-02-29', '0000-01-01'],
    ['2021-02-29', '1900-02-29', '2021-1-1', '2021-13-01'],
  ],
  'date-time': [
    ['2021-12-07T10:11:12Z', '2021-12-07t10:11:12.5z', '2021-12-07T10:11:12+99:99'],
    ['2021-12-07T24:00:00Z', '2021-12-07T10:11:12', '2021-12-07 10:11:12Z'],
  ],
  duration: [
    ['1h30m', '-1.5h', '0', '2 days', '3 weeks 4 min', 'x 5 nanoseconds', '2562048h'],
    ['', '5', '5 foo', '1 n', '99999999999999999999 s'],
  ],
};

t.test('formats', async (t) => {
  for (const [format, [valid, not]] of Object.entries(FORMATS)) {
    const isValid = formatCheck(format);
    if (isValid === undefined) throw new Error(`${format} is not checked`);
    for (const text of valid) t.ok(isValid(text), `${format} ${text}`);
    for (const text of not) t.notOk(isValid(text), `not ${format} ${text}`);
  }
});

t.test('other formats are not checked', async (t) => {
  for (const format of ['', 'int32', 'double', 'foo', 'constructor', undefined, 5]) {
    t.equal(formatCheck(format), undefined);
  }
  t.equal(formatCheck('u-u-id'), formatCheck('uuid'));
});

t.test('no text takes long', async (t) => {
  const digits = '1'.repeat(200_000);
  const texts = [
    digits,
    `${digits} ${' '.repeat(200_000)}`,
    'a'.repeat(500_000),
    '('.repeat(300_000),
  ];
  for (const format of Object.keys(FORMATS)) {
    for (const text of texts) t.type(formatCheck(format)?.(text), 'boolean');
  }
});

t.test('patterns match as RE2 does', async (t) => {
  for (const [pattern, text, matches] of [
    ['a$', 'a\n', false],
    ['^a.b$', 'a\nb', false],
    ['(?s)a.b', 'a\nb', true],
    ['(?i)k', '\u212a', true],
    ['\\s', '\u00a0', false],
    ['\\pL', 'é', true],
    ['^.$', '\u{1f600}', true],
    ['[[:alpha:]]{2}', 'ab', true],
    ['\\Q.\\E', 'a', false],
    ['\\z', '', true],
  ] as const) {
    t.equal(matchesPattern(pattern, text), matches, `${pattern} ${text}`);
  }
});

t.test('patterns that are none, or too large', async (t) => {
  for (const [pattern, problem] of [
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['(a', 'missing closing ): `(a`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['[z-a]', 'invalid character class range: `z-a`'],
    ['('.repeat(1001) + ')'.repeat(1001), 'expression nests too deeply'],
    ['x'.repeat(20_001), 'expression too large'],
    ['([]a]\\]b){1000}'.repeat(10), 'expression too large'],
    ['[a-z]{1000}'.repeat(30), 'expression too large'],
    ['['.repeat(1_000_000), 'expression too large'],
  ] as const) {
    t.match(patternProblem(pattern), `error parsing regexp: ${problem}`, pattern.slice(0, 20));
    t.throws(() => matchesPattern(pattern, 'a'), PatternError);
  }
  t.equal(patternProblem('^([0-9a-f]{1,4}:){7}[[:alpha:]{}]{1,1000}$'), undefined);
});
