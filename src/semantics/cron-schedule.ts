/**
 * The grammar of a CronJob's schedule (README.md#schedules): five fields (minute, hour, day of
 * month, month, day of week) of lists, ranges and steps, or a descriptor such as `@daily`. This
 * only checks that a schedule can be parsed, with the error texts of the parser that release 1.23
 * uses.
 */

interface FieldBounds {
  readonly minimum: number;
  readonly maximum: number;
  /** Names of the values from `minimum` on, lower case. */
  readonly names: readonly string[];
}

const FIELDS: readonly FieldBounds[] = [
  { minimum: 0, maximum: 59, names: [] },
  { minimum: 0, maximum: 23, names: [] },
  { minimum: 1, maximum: 31, names: [] },
  {
    minimum: 1,
    maximum: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { minimum: 0, maximum: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

const DESCRIPTORS: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);

const EVERY = '@every ';
const ZONE = /^(?:CRON_)?TZ=(\S*)(?:\s+|$)/;
const DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|\u03bcs|ms|s|m|h))+)$/;
/** Schedules need far less: this bounds the work on a hostile one. */
const SCHEDULE_LENGTH_MAX = 4096;

/** Why `schedule` cannot be parsed, '' when it can. */
export function cronScheduleProblem(schedule: string): string {
  if (schedule.length > SCHEDULE_LENGTH_MAX) {
    return `must be no more than ${SCHEDULE_LENGTH_MAX} characters`;
  }
  if (schedule === '') return 'empty spec string';
  const zone = ZONE.exec(schedule);
  if (zone === null) return specProblem(schedule);
  const [prefix, name = ''] = zone;
  if (!isTimeZone(name)) return `provided bad location ${name}: unknown time zone ${name}`;
  return specProblem(schedule.slice(prefix.length).trim());
}

function specProblem(spec: string): string {
  if (spec.startsWith('@')) return descriptorProblem(spec);
  const fields = spec.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS.length) {
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, bounds] of FIELDS.entries()) {
    const problem = fieldProblem(fields[index] ?? '', bounds);
    if (problem !== '') return problem;
  }
  return '';
}

function descriptorProblem(spec: string): string {
  if (DESCRIPTORS.has(spec)) return '';
  if (!spec.startsWith(EVERY)) return `unrecognized descriptor: ${spec}`;
  const duration = spec.slice(EVERY.length);
  if (DURATION.test(duration)) return '';
  return `failed to parse duration ${spec}: time: invalid duration ${JSON.stringify(duration)}`;
}

/** Empty items of a list, as in `1,,2`, are skipped, as the reference does. */
function fieldProblem(field: string, bounds: FieldBounds): string {
  for (const range of field.split(',')) {
    const problem = range === '' ? '' : rangeProblem(range, bounds);
    if (problem !== '') return problem;
  }
  return '';
}

/**
 * `*`, `?`, `5`, `1-5`, each with an optional `/step`; `5/10` runs from 5 to the end. After a star,
 * a hyphen and an end are ignored.
 */
function rangeProblem(range: string, bounds: FieldBounds): string {
  const [ends = '', step, ...moreSteps] = range.split('/');
  if (moreSteps.length > 0) return `too many slashes: ${range}`;
  const [low = '', high, ...moreEnds] = ends.split('-');
  const isStar = low === '*' || low === '?';
  if (moreEnds.length > 0 && !isStar) return `too many hyphens: ${range}`;

  const start = isStar ? bounds.minimum : valueOf(low, bounds);
  if (typeof start === 'string') return start;
  const openEnd = isStar || (high === undefined && step !== undefined);
  const end = openEnd ? bounds.maximum : high === undefined ? start : valueOf(high, bounds);
  if (typeof end === 'string') return end;
  const { minimum, maximum } = bounds;
  if (start < minimum) return `beginning of range (${start}) below minimum (${minimum}): ${range}`;
  if (end > maximum) return `end of range (${end}) above maximum (${maximum}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;

  const every = step === undefined ? 1 : numberOf(step);
  if (typeof every === 'string') return every;
  return every === 0 ? `step of range should be a positive number: ${range}` : '';
}

/**
 * Returns the number that a value or a name stands for, or the reason why there is none as text.
 */
function valueOf(text: string, bounds: FieldBounds): number | string {
  const index = bounds.names.indexOf(text.toLowerCase());
  return index === -1 ? numberOf(text) : bounds.minimum + index;
}

function numberOf(text: string): number | string {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const quoted = JSON.stringify(text);
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${quoted}: invalid syntax`;
}

/** Whether a time zone has that name. */
export function isTimeZone(name: string): boolean {
  if (name === '' || name === 'Local') return true;
  if (!/^[A-Za-z]/.test(name)) return false; // offsets, such as `+01:00`, are no names
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
