// The grammar of schedules (src/semantics/README.md#schedules).
import t from 'tap';
import { cronScheduleProblem } from '../../src/semantics/cron-schedule.ts';

const VALID = [
  '* * * * *',
  '*/5 * * * *',
  '0 0 1 1 0',
  '59 23 31 12 6',
  '15 3 * * 1-5',
  '0,15,30-40/2 8-18/2 * * MON-fri',
  '0 0 ? JAN,dec ?',
  '5/10 * * * *',
  '1,,2, * * * *',
  '*-5 ?-x-y/2 * * *',
  '  0   0 * *\t* ',
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
  '@every 1h30m',
  '@every 1.5s',
  'TZ=Europe/Berlin 0 4 * * *',
  'CRON_TZ=UTC @daily',
];

const INVALID: Readonly<Record<string, string>> = {
  '': 'empty spec string',
  x: 'expected exactly 5 fields, found 1: [x]',
  '* * * *': 'expected exactly 5 fields, found 4: [* * * *]',
  '* * * * * *': 'expected exactly 5 fields, found 6: [* * * * * *]',
  '60 * * * *': 'end of range (60) above maximum (59): 60',
  '* 24 * * *': 'end of range (24) above maximum (23): 24',
  '* * 0 * *': 'beginning of range (0) below minimum (1): 0',
  '* * * 13 *': 'end of range (13) above maximum (12): 13',
  '* * * * 7': 'end of range (7) above maximum (6): 7',
  '5-1 * * * *': 'beginning of range (5) beyond end of range (1): 5-1',
  '*/0 * * * *': 'step of range should be a positive number: */0',
  '1-2-3 * * * *': 'too many hyphens: 1-2-3',
  '1/2/3 * * * *': 'too many slashes: 1/2/3',
  'a * * * *': 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax',
  'MON * * * *': 'failed to parse int from MON: strconv.Atoi: parsing "MON": invalid syntax',
  '1- * * * *': 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax',
  '*/x * * * *': 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax',
  '@reboot': 'unrecognized descriptor: @reboot',
  '@every soon': 'failed to parse duration @every soon: time: invalid duration "soon"',
  'TZ=Nowhere/City * * * * *': 'provided bad location Nowhere/City: unknown time zone Nowhere/City',
  'TZ=+01:00 * * * * *': 'provided bad location +01:00: unknown time zone +01:00',
  'TZ=UTC': 'expected exactly 5 fields, found 0: []',
};

t.test('schedules that are accepted', async (t) => {
  for (const schedule of VALID) t.equal(cronScheduleProblem(schedule), '', schedule);
});

t.test('schedules that are refused', async (t) => {
  for (const [schedule, problem] of Object.entries(INVALID)) {
    t.equal(cronScheduleProblem(schedule), problem, schedule || 'the empty text');
  }
  t.equal(cronScheduleProblem('1,'.repeat(5000)), 'must be no more than 4096 characters');
});
