import t from 'tap';
import type { Test } from 'tap';
import { base64ByteLength, canonicalBase64 } from '../../src/codec/leaves/base64-text.ts';
import { canonicalDuration } from '../../src/codec/leaves/duration-text.ts';
import { canonicalMicroTime, canonicalTime } from '../../src/codec/leaves/time-text.ts';

function table(
  t: Test,
  canonical: (text: string) => string,
  good: Record<string, string>,
  bad: Record<string, string>,
): void {
  for (const [text, expected] of Object.entries(good)) t.equal(canonical(text), expected, text);
  for (const [text, message] of Object.entries(bad)) {
    t.throws(() => canonical(text), { message }, JSON.stringify(text));
  }
}

t.test('Time is UTC with whole seconds', async (t) => {
  const cannot = (text: string, rest: string, element: string): string =>
    `parsing time "${text}" as "2006-01-02T15:04:05Z07:00": cannot parse "${rest}" as "${element}"`;
  table(
    t,
    canonicalTime,
    {
      '2021-12-07T10:11:12Z': '2021-12-07T10:11:12Z',
      '2021-12-07T10:11:12.999999Z': '2021-12-07T10:11:12Z',
      '2021-12-07T10:11:12+02:00': '2021-12-07T08:11:12Z',
      '2021-12-31T23:30:00-01:00': '2022-01-01T00:30:00Z',
      '2020-02-29T00:00:00Z': '2020-02-29T00:00:00Z',
      '0001-01-01T00:00:00Z': '',
      '0050-01-01T01:00:00+01:00': '0050-01-01T00:00:00Z',
    },
    {
      x: cannot('x', 'x', '2006'),
      '': cannot('', '', '2006'),
      '2021': cannot('2021', '', '-'),
      '2021-1-01T00:00:00Z': cannot('2021-1-01T00:00:00Z', '1-01T00:00:00Z', '01'),
      '2021-12-07 10:11:12Z': cannot('2021-12-07 10:11:12Z', ' 10:11:12Z', 'T'),
      '2021-12-07T10:11:12': cannot('2021-12-07T10:11:12', '', 'Z07:00'),
      '2021-13-07T10:11:12Z': 'parsing time "2021-13-07T10:11:12Z": month out of range',
      '2021-02-29T10:11:12Z': 'parsing time "2021-02-29T10:11:12Z": day out of range',
      '2021-02-28T24:11:12Z': 'parsing time "2021-02-28T24:11:12Z": hour out of range',
      '2021-02-28T23:59:60Z': 'parsing time "2021-02-28T23:59:60Z": second out of range',
      '2021-12-07T10:11:12Zx': 'parsing time "2021-12-07T10:11:12Zx": extra text: "x"',
    },
  );
});

t.test('MicroTime has exactly six fraction digits, in and out', async (t) => {
  const cannot = (text: string, rest: string, element: string): string =>
    `parsing time "${text}" as "2006-01-02T15:04:05.000000Z07:00": ` +
    `cannot parse "${rest}" as "${element}"`;
  table(
    t,
    canonicalMicroTime,
    {
      '2021-12-07T10:11:12.123456Z': '2021-12-07T10:11:12.123456Z',
      '2021-12-07T10:11:12.000000+02:00': '2021-12-07T08:11:12.000000Z',
      '0001-01-01T00:00:00.000000Z': '',
      '0001-01-01T00:00:00.000001Z': '0001-01-01T00:00:00.000001Z',
    },
    {
      '2021-12-07T10:11:12Z': cannot('2021-12-07T10:11:12Z', 'Z', '.000000'),
      '2021-12-07T10:11:12.123Z': cannot('2021-12-07T10:11:12.123Z', '.123Z', '.000000'),
      '2021-12-07T10:11:12.1234567Z': cannot('2021-12-07T10:11:12.1234567Z', '7Z', 'Z07:00'),
    },
  );
});

t.test('Duration', async (t) => {
  table(
    t,
    canonicalDuration,
    {
      '0': '0s',
      '1h': '1h0m0s',
      '90s': '1m30s',
      '1.5h': '1h30m0s',
      '1500ms': '1.5s',
      '10us': '10\u00b5s',
      '-1ns': '-1ns',
      '1h1ns': '1h0m0.000000001s',
    },
    {
      '': 'time: invalid duration ""',
      '-': 'time: invalid duration "-"',
      x: 'time: invalid duration "x"',
      '1': 'time: missing unit in duration "1"',
      '1d': 'time: unknown unit "d" in duration "1d"',
      '9999999h': 'time: invalid duration "9999999h"',
      '99999999999999999999': 'time: invalid duration "99999999999999999999"',
      '000000000000000000001': 'time: missing unit in duration "000000000000000000001"',
    },
  );
});

t.test('bytes are canonical base64', async (t) => {
  const illegal = (at: number): string => `illegal base64 data at input byte ${at}`;
  table(
    t,
    canonicalBase64,
    {
      '': '',
      'YQ==': 'YQ==',
      'YWI=': 'YWI=',
      YWJj: 'YWJj',
      'YW\nJj\r\n': 'YWJj',
      'YR==': 'YQ==',
      'YWK=': 'YWI=',
    },
    {
      'YW-_': illegal(2),
      'Y===': illegal(1),
      YQ: illegal(0),
      'YQ=': illegal(3),
      'YQ==YQ==': illegal(4),
      'YWJ\u00e9': illegal(3),
      '=': illegal(0),
    },
  );
  t.equal(base64ByteLength('YQ=='), 1);
  t.equal(base64ByteLength('YWI='), 2);
  t.equal(base64ByteLength('YWJj'), 3);
});
