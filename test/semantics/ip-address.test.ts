// IP addresses and ranges as the reference server takes them.
import t from 'tap';
import {
  dialedHost,
  formatV4,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isStrictSubrange,
  isUnspecified,
  parseIp,
  parseIpRange,
} from '../../src/semantics/validation/ip-address.ts';
import { checkNonSpecialIp } from '../../src/semantics/validation/network-validation.ts';
import type { FieldError } from '../../src/semantics/errors/field-error.ts';

t.test('addresses', async (t) => {
  for (const [text, family, value] of [
    ['0.0.0.0', 'IPv4', 0n],
    ['10.1.2.3', 'IPv4', 0x0a010203n],
    ['255.255.255.255', 'IPv4', 0xffffffffn],
    ['010.001.02.3', 'IPv4', 0x0a010203n],
    ['::', 'IPv6', 0n],
    ['::1', 'IPv6', 1n],
    ['1::', 'IPv6', 1n << 112n],
    ['2001:db8::8a2e:370:7334', 'IPv6', 0x20010db8_00000000_00008a2e_03707334n],
    ['1:2:3:4:5:6:7:8', 'IPv6', 0x00010002_00030004_00050006_00070008n],
    ['1:2:3:4:5:6:7::', 'IPv6', 0x00010002_00030004_00050006_00070000n],
    ['FE80::00aB', 'IPv6', (0xfe80n << 112n) | 0xabn],
    ['64:ff9b::192.0.2.33', 'IPv6', (0x0064ff9bn << 96n) | 0xc0000221n],
    ['1:2:3:4:5:6:192.0.2.33', 'IPv6', (0x00010002_00030004_00050006n << 32n) | 0xc0000221n],
    ['::ffff:10.1.2.3', 'IPv4', 0x0a010203n],
    ['::ffff:a01:203', 'IPv4', 0x0a010203n],
  ] as const) {
    t.same(parseIp(text), { family, value }, text);
  }
});

t.test('what is no address', async (t) => {
  for (const text of [
    '',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.',
    '1.2.3.-4',
    ' 1.2.3.4',
    '1.2.3.4/8',
    '0x1.2.3.4',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '::12345',
    '::g',
    '1.2.3.4::',
    '::1.2.3',
    '::1.2.3.4:5',
    'fe80::1%eth0',
    '[::1]',
    `1.2.3.${'0'.repeat(200)}4`,
  ]) {
    t.equal(parseIp(text), undefined, text);
  }
});

/** How addresses can be written, and what is connected to; '' for nothing. */
const SPELLINGS: [text: string, dialed: string][] = [
  ['10.1.2.3', '10.1.2.3'],
  ['0.0.0.0', '0.0.0.0'],
  ['127.0.0.1', '127.0.0.1'],
  ['255.255.255.255', '255.255.255.255'],
  // Leading zeros: decimal to some, octal to others.
  ['010.1.2.3', ''],
  ['10.01.2.3', ''],
  ['10.1.2.03', ''],
  ['0177.0.0.1', ''],
  ['127.0.0.01', ''],
  ['127.000.000.001', ''],
  ['00.0.0.0', ''],
  // Hexadecimal, short and long forms.
  ['0x7f.0.0.1', ''],
  ['0x7f000001', ''],
  ['0X7F000001', ''],
  ['2130706433', ''],
  ['017700000001', ''],
  ['127.1', ''],
  ['127.0.1', ''],
  ['1.2.3.4.5', ''],
  ['127', ''],
  ['0', ''],
  ['0x', ''],
  ['256.0.0.1', ''],
  ['127.0.0.1.', ''],
  ['127.0.0.', ''],
  // Signs, blanks, digits of other scripts, separators that look like dots.
  ['+127.0.0.1', ''],
  ['-127.0.0.1', ''],
  [' 127.0.0.1', ''],
  ['127.0.0.1 ', ''],
  ['127.0.0.1\n', ''],
  ['127.0.0.1\0', ''],
  ['127.0.0.1\0.example.com', ''],
  ['１２７.0.0.1', ''],
  ['127。0。0。1', ''],
  ['٠.0.0.1', ''],
  ['127.0.0.1:80', ''],
  ['127.0.0.1/8', ''],
  ['127.0.0.1#', ''],
  ['a@127.0.0.1', ''],
  ['%31%32%37.0.0.1', ''],
  // IPv6.
  ['::1', '::1'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['0000:0000:0000:0000:0000:0000:0000:0001', '::1'],
  ['::0001', '::1'],
  ['::00001', ''],
  ['FD00::AB', 'fd00::ab'],
  ['fd00:0:0:0::ab', 'fd00::ab'],
  ['[::1]', ''],
  ['::1%lo', ''],
  ['fe80::1%eth0', ''],
  ['fe80::1%25eth0', ''],
  ['::1/128', ''],
  ['0x::1', ''],
  // IPv4 inside of IPv6.
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['::FFFF:127.0.0.1', '127.0.0.1'],
  ['::ffff:7f00:1', '127.0.0.1'],
  ['0:0:0:0:0:ffff:10.1.2.3', '10.1.2.3'],
  ['::ffff:0177.0.0.1', ''],
  ['::ffff:127.1', ''],
  ['::ffff:0:127.0.0.1', '::ffff:0:7f00:1'],
  ['::127.0.0.1', '::7f00:1'],
  ['64:ff9b::127.0.0.1', '64:ff9b::7f00:1'],
  // Names.
  ['localhost', 'localhost'],
  ['node-1.example.com', 'node-1.example.com'],
  ['node_1', 'node_1'],
  ['Node.Example.COM.', 'Node.Example.COM.'],
  ['1.example', '1.example'],
  ['0x7f.example', '0x7f.example'],
  ['example.1', ''],
  ['example.0x1', ''],
  ['', ''],
  ['.', ''],
  ['a..b', ''],
  [`${'a'.repeat(300)}.example`, ''],
  ['a b', ''],
  ['a/b', ''],
  ['a\r\nb', ''],
  ['bücher.example', ''],
  ['example.com:80', ''],
];

t.test('what is connected to, by how it is written', async (t) => {
  for (const [text, dialed] of SPELLINGS) {
    t.equal(dialedHost(text) ?? '', dialed, JSON.stringify(text));
    if (dialed !== '') t.equal(dialedHost(dialed), dialed, 'which is read as the same again');
  }
});

t.test('ranges', async (t) => {
  t.same(parseIpRange('10.1.2.3/8'), { family: 'IPv4', first: 0x0a000000n, prefixLength: 8 });
  t.same(parseIpRange('0.0.0.0/0'), { family: 'IPv4', first: 0n, prefixLength: 0 });
  t.same(parseIpRange('2001:db8::1/32'), {
    family: 'IPv6',
    first: 0x20010db8n << 96n,
    prefixLength: 32,
  });
  for (const text of [
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0/8',
    '10.0.0.0/-1',
    '::/129',
    '/8',
  ]) {
    t.equal(parseIpRange(text), undefined, text);
  }
  for (const [inner, outer, expected] of [
    ['10.1.0.0/16', '10.0.0.0/8', true],
    ['10.0.0.0/8', '10.0.0.0/8', false],
    ['10.0.0.0/8', '10.1.0.0/16', false],
    ['11.1.0.0/16', '10.0.0.0/8', false],
    ['2001:db8:1::/48', '2001:db8::/32', true],
    ['::a00:0/112', '10.0.0.0/8', false],
  ] as const) {
    const ranges = [inner, outer].map((text) => parseIpRange(text)) as [never, never];
    t.equal(isStrictSubrange(...ranges), expected, `${inner} in ${outer}`);
  }
  t.equal(formatV4(0xfe010203), '254.1.2.3');
});

t.test('special addresses', async (t) => {
  const kinds = { isUnspecified, isLoopback, isLinkLocalUnicast, isLinkLocalMulticast };
  for (const [text, expected] of [
    ['0.0.0.0', 'isUnspecified'],
    ['::', 'isUnspecified'],
    ['0.0.0.1', ''],
    ['127.255.0.1', 'isLoopback'],
    ['128.0.0.1', ''],
    ['::1', 'isLoopback'],
    ['::2', ''],
    ['169.254.255.255', 'isLinkLocalUnicast'],
    ['169.255.0.0', ''],
    ['fe80::1', 'isLinkLocalUnicast'],
    ['febf::1', 'isLinkLocalUnicast'],
    ['fec0::1', ''],
    ['224.0.0.255', 'isLinkLocalMulticast'],
    ['224.0.1.0', ''],
    ['ff02::1', 'isLinkLocalMulticast'],
    ['ff12::1', 'isLinkLocalMulticast'],
    ['ff05::1', ''],
  ] as const) {
    const ip = parseIp(text);
    if (ip === undefined) throw new Error(text);
    const found = Object.entries(kinds).flatMap(([name, is]) => (is(ip) ? [name] : []));
    t.same(found, expected === '' ? [] : [expected], text);
    const errors: FieldError[] = [];
    checkNonSpecialIp(ip, text, 'ip', errors);
    t.equal(errors.length, found.length, `${text}: an error for each`);
  }
});
