import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { LogFile, type LogFileOptions } from '../../src/audit/log-file.ts';
import { until } from '../support/owned-objects.ts';
import type { RotationSettings } from '../../src/audit/settings.ts';

const UNBOUNDED = { bytesMax: 0, backupsMax: 0, ageMsMax: 0, isCompressed: false };
const NOON_MS = Date.UTC(2026, 10, 23, 12);

interface Rig {
  readonly folder: string;
  readonly open: (more?: Partial<LogFileOptions>) => LogFile;
  readonly errors: string[];
  readonly names: () => string[];
  readonly text: (name: string) => string;
}

function rig(t: Test, rotation: Partial<RotationSettings>): Rig {
  const folder = t.testdir();
  const errors: string[] = [];
  const options: LogFileOptions = {
    path: join(folder, 'logs/audit.log'),
    rotation: { ...UNBOUNDED, ...rotation },
    shared: LogFile.shared(),
    nowMs: () => NOON_MS,
    logError: (text) => errors.push(text),
  };
  return {
    folder,
    errors,
    open: (more) => {
      const file = new LogFile({ ...options, ...more });
      t.teardown(() => file.close());
      return file;
    },
    names: () => readdirSync(join(folder, 'logs')).toSorted(),
    text: (name) => readFileSync(join(folder, 'logs', name), 'utf8'),
  };
}

t.test('lines are appended to what is there, for nobody else to read', async (t) => {
  const { open, text, folder } = rig(t, {});
  open().append('one\n');
  open({ shared: LogFile.shared() }).append('two\nthree\n');
  t.equal(text('audit.log'), 'one\ntwo\nthree\n');
  t.equal(statSync(join(folder, 'logs/audit.log')).mode & 0o777, 0o600);
});

t.test('a file that is full gets the time into its name, and no two have the same', async (t) => {
  const { open, names, text } = rig(t, { bytesMax: 10 });
  const file = open();
  for (const line of ['aaaa\n', 'bbbb\n', 'cccc\n', 'longer than a file\n', 'dddd\n']) {
    file.append(line);
  }
  t.same(names(), [
    'audit-2026-11-23T12-00-00.000.log',
    'audit-2026-11-23T12-00-00.001.log',
    'audit-2026-11-23T12-00-00.002.log',
    'audit.log',
  ]);
  t.same(names().map(text), ['aaaa\nbbbb\n', 'cccc\n', 'longer than a file\n', 'dddd\n']);
});

t.test('those who write into one file agree on which it is', async (t) => {
  const { open, names, text } = rig(t, { bytesMax: 10 });
  const [one, other] = [open(), open()];
  one.append('11111111\n');
  other.append('22222222\n');
  one.append('33333333\n');
  t.equal(names().length, 3);
  t.same(names().map(text), ['11111111\n', '22222222\n', '33333333\n']);
});

t.test('old files go that are too many or too old, and the others are packed', async (t) => {
  const { open, names, folder } = rig(t, {
    backupsMax: 2,
    ageMsMax: 86_400_000,
    isCompressed: true,
  });
  open().append('now\n');
  const old = (time: string): string => `audit-2026-11-${time}.log`;
  for (const time of ['21T00-00-00.000', '23T09-00-00.000', '23T10-00-00.000', '23T11-00-00.000']) {
    writeFileSync(join(folder, 'logs', old(time)), time);
  }
  writeFileSync(join(folder, 'logs/audit-of-somebody.log'), 'else');
  await open().tidy();
  t.same(names(), [
    `${old('23T10-00-00.000')}.gz`,
    `${old('23T11-00-00.000')}.gz`,
    'audit-of-somebody.log',
    'audit.log',
  ]);
  const packed = readFileSync(join(folder, 'logs', `${old('23T11-00-00.000')}.gz`));
  t.equal(gunzipSync(packed).toString(), '23T11-00-00.000');
});

t.test('what a crash has left half packed is packed at the next start, or goes', async (t) => {
  const { open, names, folder } = rig(t, { backupsMax: 2, isCompressed: true });
  open().append('now\n');
  const old = (hour: string): string => `audit-2026-11-23T${hour}-00-00.000.log`;
  for (const name of [
    `${old('09')}`,
    `${old('09')}.gz.part`,
    `${old('10')}`,
    `${old('10')}.gz`,
    `${old('11')}`,
    `${old('11')}.gz.part`,
  ]) {
    writeFileSync(join(folder, 'logs', name), 'x');
  }
  open().open();
  const left = [`${old('10')}.gz`, `${old('11')}.gz`, 'audit.log'];
  await until(async () => names().join() === left.join());
});

const hasFull = process.platform === 'linux';

t.test('what a full disk does not take is an error each time', { skip: !hasFull }, async (t) => {
  const { open } = rig(t, { bytesMax: 1 });
  const file = open({ path: '/dev/full' });
  t.throws(() => file.append('one\n'), { code: 'ENOSPC' });
  t.throws(() => file.append('two\n'), { code: 'ENOSPC' });
});
