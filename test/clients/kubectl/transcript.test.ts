import t from 'tap';
import { isOlder, lineMatches, linesMatch, linesOf, parseTranscript } from './transcript.ts';

t.test('a transcript is read into its commands', async (t) => {
  const steps = parseTranscript(String.raw`
    $ kubectl get a
    NAME  AGE

      indented
    $ kubectl apply -f - <<END # since 1.24
    > kind: A
    >
    > END
    ! Warning: old
    exit 1
    $ kubectl get a --watch &
    a
    $ kubectl create a
    & a  1
    & exit 0
  `);
  const plain = { background: false, stdout: [], stderr: [], exitCode: 0, later: [] };
  t.same(steps, [
    { ...plain, command: 'kubectl get a', stdout: ['NAME  AGE', '', '  indented'] },
    {
      ...plain,
      command: 'kubectl apply -f - <<END\nkind: A\n\nEND',
      since: { major: 1, minor: 24 },
      stderr: ['Warning: old'],
      exitCode: 1,
    },
    { ...plain, command: 'kubectl get a --watch', background: true, stdout: ['a'] },
    { ...plain, command: 'kubectl create a', later: ['a  1', 'exit 0'] },
  ]);
  t.throws(() => parseTranscript('NAME'), /begins with a command/);
});

t.test('the release may stand at the end of a command of several lines', async (t) => {
  const read = (text: string) =>
    parseTranscript(text).map(({ command, since }) => [command, since]);
  const since = { major: 1, minor: 30 };
  t.same(read('$ a \\\n> --b # since 1.30'), [['a \\\n--b', since]]);
  t.same(read('$ a \\\n> # since 1.30'), [['a \\\n', since]]);
  t.same(read('$ a & # since 1.30'), [['a', since]]);
  t.ok(isOlder({ major: 1, minor: 29 }, since));
  t.notOk(isOlder(since, since));
  t.notOk(isOlder({ major: 2, minor: 0 }, since));
});

const LINES: readonly [pattern: string, line: string, matches: boolean][] = [
  ['configmap/a created', 'configmap/a created', true],
  ['configmap/a created', 'configmap/ab created', false],
  ['configmap/a', 'configmap/a created', false],
  ['a.b [c]', 'a.b [c]', true],
  ['a.b', 'aXb', false],
  ['NAME  AGE', 'NAME      AGE', true],
  ['NAME  AGE', 'NAME AGE', false],
  ['key  <string>', 'key\t<string>', true],
  ['  a: b', '  a: b', true],
  ['  a: b', '   a: b', false],
  ['a', 'a   ', true],
  ['a  <age>', 'a   5s', true],
  ['a  <age>', 'a   2m30s', true],
  ['a  <age>', 'a   <unknown>', false],
  ['a-<id>', 'a-x9f7v', true],
  ['a-<id>', 'a-', false],
  ['was <n>', 'was 12', true],
  ['was <n>', 'was', false],
  ['uid: <uid>', 'uid: c215e154-3af2-47b1-b513-41bca7c39749', true],
  ['uid: <uid>', 'uid: c215e154', false],
  ['"<time>"', '"2026-11-22T02:33:48Z"', true],
  ['"<time>"', '"2026-11-22"', false],
  ['<date>', 'Sun, 22 Nov 2026 02:46:21 +0000', true],
  ['<ip>:80', '10.0.0.1:80', true],
  ['error: <any>', 'error: of some kind', true],
  ['<none>', '<none>', true],
];

t.test('a line is as its pattern says', async (t) => {
  for (const [pattern, line, matches] of LINES) {
    t.equal(lineMatches(pattern, line), matches, `${pattern} | ${line}`);
  }
});

t.test('dots stand for any number of lines', async (t) => {
  const matches = (patterns: string, lines: string) =>
    linesMatch(patterns.split(' '), lines.split(' '));
  t.ok(matches('a b', 'a b'));
  t.notOk(matches('a b', 'a b c'));
  t.notOk(matches('a b', 'a'));
  t.ok(matches('a ...', 'a'));
  t.ok(matches('a ... b', 'a b'));
  t.ok(matches('a ... b', 'a x b y b'));
  t.notOk(matches('a ... b', 'a x y'));
  t.ok(matches('... b ... d', 'a b c d'));
  t.notOk(matches('... b ... d', 'a c d'));
  t.ok(linesMatch([], []));
  t.notOk(linesMatch([], ['a']));
  t.notOk(linesMatch(['a'], []));
  t.same(linesOf('a  \n\nb\n'), ['a', '', 'b']);
  t.same(linesOf(''), []);
});
