/** How long ago something was, for people. */
import t from 'tap';
import { Age, ageSince, durationText } from '../../src/semantics/age-text.ts';

const NOW = '2024-03-01T12:00:00Z';
const NOW_MS = Date.parse(NOW);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

t.test('a duration is told in the units that matter', (t) => {
  const rows: [durationMs: number, text: string][] = [
    [-YEAR, '<invalid>'],
    [-2 * SECOND, '<invalid>'],
    [-1999, '0s'],
    [-SECOND, '0s'],
    [-1, '0s'],
    [0, '0s'],
    [999, '0s'],
    [SECOND, '1s'],
    [2 * MINUTE - 1, '119s'],
    [2 * MINUTE, '2m'],
    [2 * MINUTE + SECOND, '2m1s'],
    [10 * MINUTE - 1, '9m59s'],
    [10 * MINUTE, '10m'],
    [10 * MINUTE + 59 * SECOND, '10m'],
    [3 * HOUR - 1, '179m'],
    [3 * HOUR, '3h'],
    [3 * HOUR + MINUTE, '3h1m'],
    [8 * HOUR - 1, '7h59m'],
    [8 * HOUR, '8h'],
    [2 * DAY - 1, '47h'],
    [2 * DAY, '2d'],
    [2 * DAY + HOUR, '2d1h'],
    [8 * DAY - 1, '7d23h'],
    [8 * DAY, '8d'],
    [2 * YEAR - 1, '729d'],
    [2 * YEAR, '2y'],
    [2 * YEAR + DAY, '2y1d'],
    [8 * YEAR - 1, '7y364d'],
    [8 * YEAR, '8y'],
    [100 * YEAR, '100y'],
    [2000 * YEAR, '292y'],
  ];
  for (const [durationMs, text] of rows) t.equal(durationText(durationMs), text, `${durationMs}`);
  t.end();
});

t.test('an age is the duration since a time', (t) => {
  const rows: [timestamp: string | undefined, text: string][] = [
    [undefined, '<unknown>'],
    ['', '<unknown>'],
    [NOW, '0s'],
    ['2024-03-01T11:59:30Z', '30s'],
    ['2024-03-01T11:59:30.999999Z', '29s'],
    ['2024-03-01T12:00:01Z', '0s'],
    ['2024-03-01T12:00:02Z', '<invalid>'],
    ['2024-02-28T12:00:00Z', '2d'],
    ['1970-01-01T00:00:00Z', '54y'],
  ];
  for (const [timestamp, text] of rows) {
    const age = ageSince(timestamp, '(', ' ago)');
    const shown = age instanceof Age ? age.textAt(NOW_MS) : age;
    t.equal(shown, `(${text} ago)`, timestamp ?? '');
  }
  t.end();
});
