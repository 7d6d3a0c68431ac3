/** Flags, kubeconfigs and the small parts of `npm run soak`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { stringify } from 'yaml';
import { Histogram } from '../../tools/soak/histogram.ts';
import { readKubeconfig } from '../../tools/soak/kubeconfig.ts';
import { helpText, readOptions } from '../../tools/soak/options.ts';
import type { SoakOptions } from '../../tools/soak/options.ts';
import { Pacer } from '../../tools/soak/pacer.ts';
import { ResponseReader } from '../../tools/soak/response-reader.ts';
import { targetFrom } from '../../tools/soak/target.ts';

function options(...args: string[]): SoakOptions {
  const read = readOptions(args);
  if (read === undefined) throw new Error('asked for help');
  return read;
}

t.test('without flags everything has its preset', async (t) => {
  t.match(options(), {
    server: '',
    watches: 1_000,
    objects: 1_000,
    writers: 4,
    rate: 200,
    seconds: 60,
    resource: 'configmaps',
    bookmarks: false,
    watchMix: [
      { kind: 'namespace', share: 4 },
      { kind: 'label', share: 3 },
      { kind: 'name', share: 2 },
      { kind: 'all', share: 1 },
    ],
  });
});

t.test('times, shares and mixes are read', async (t) => {
  t.equal(options('--seconds', '90').seconds, 90);
  t.equal(options('--seconds', '10m').seconds, 600);
  t.equal(options('--seconds', '1.5h').seconds, 5_400);
  t.equal(options('--stall-for', '250ms').stallSeconds, 0.25);
  t.equal(options('--deletes', '.25').deletes, 0.25);
  t.same(options('--watch-mix', 'name,all=0').watchMix, [
    { kind: 'name', share: 1 },
    { kind: 'all', share: 0 },
  ]);
  t.equal(readOptions(['--help', '--watches', '10']), undefined);
});

const WRONG: readonly (readonly [args: string[], message: RegExp])[] = [
  [['--watches', '0'], /^--watches is "0": give a whole number from 1 to 50000$/],
  [['--watches', '1e3'], /whole number/],
  [['--objects', '-1'], /--objects|ambiguous/],
  [['--seconds', '5d'], /--seconds is "5d": give a time/],
  [['--seconds', '0'], /--seconds is "0"/],
  [['--seconds', '999h'], /336h/],
  [['--deletes', '0.5'], /--deletes is "0.5": give a number from 0 to 0.4/],
  [['--stall', 'x'], /--stall is "x"/],
  [['--resource', 'pods'], /give one of configmaps, secrets, leases/],
  [['--watch-mix', 'pods=3'], /--watch-mix has "pods=3"/],
  [['--watch-mix', ''], /--watch-mix has ""/],
  [['--watch-mix', 'name=0'], /no share over 0/],
  [['--watch-mix', 'name,name'], /twice/],
  [['--nothing'], /Unknown option '--nothing'\. See/],
  [['--watchs', '1'], /Unknown option '--watchs' \(did you mean --watches\?\)\. See --help/],
  [['--etcd-servers', 'a'], /Unknown option '--etcd-servers'\. See --help/],
  [['--watches'], /argument missing/],
  [['more'], /Unexpected argument 'more'/],
  [['--server', 'http://a', '--kubeconfig', 'b'], /exclude each other/],
  [['--token', 'a'], /needs --server/],
  [['--server', 'http://a', '--token', 'a', '--token-file', 'b'], /exclude each other/],
  [['--server', 'http://a', '--context', 'b'], /needs --kubeconfig/],
  [['--objects', '2', '--namespaces', '3'], /fewer than --namespaces/],
  [['--objects', '4', '--writers', '5'], /fewer than --writers/],
  [['--watches', '50000', '--objects', '100000', '--watch-mix', 'all'], /200000000/],
  [['--api-domain', 'a/b'], /--api-domain/],
];

t.test('what is wrong with a flag is said in one line', async (t) => {
  for (const [args, message] of WRONG) {
    const error = t.throws(() => readOptions(args), { name: 'OptionsError', message });
    t.notMatch((error as Error).message, /\n/, args.join(' '));
  }
});

t.test('the help names each flag that there is', async (t) => {
  const named = [...helpText().matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name]) => name ?? '');
  t.ok(named.length > 25);
  for (const name of named) {
    // A flag that takes a value is refused without one, any other is taken.
    try {
      readOptions([`--${name}`]);
    } catch (error) {
      t.notMatch((error as Error).message, /Unknown/, name);
    }
  }
});

const PEM = '-----BEGIN CERTIFICATE-----\n';

t.test('a kubeconfig gives server and credentials', async (t) => {
  const folder = t.testdir({ 'ca.pem': PEM, 'a.token': 'of-file\n' });
  const file = join(folder, 'config');
  const content = {
    'current-context': 'one',
    clusters: [
      { name: 'a', cluster: { server: 'http://a', 'certificate-authority': 'ca.pem' } },
      {
        name: 'b',
        cluster: {
          server: 'https://b',
          'certificate-authority-data': Buffer.from('B').toString('base64'),
          'insecure-skip-tls-verify': true,
          'tls-server-name': 'name',
        },
      },
    ],
    contexts: [
      { name: 'one', context: { cluster: 'a', user: 'token' } },
      { name: 'two', context: { cluster: 'b', user: 'certificate' } },
      { name: 'three', context: { cluster: 'b', user: 'file' } },
      { name: 'four', context: { cluster: 'a', user: 'exec' } },
      { name: 'five', context: { cluster: 'none', user: 'file' } },
      { name: 'six', context: { cluster: 'a' } },
    ],
    users: [
      { name: 'token', user: { token: 'T' } },
      { name: 'file', user: { token: 'T', tokenFile: 'a.token' } },
      { name: 'exec', user: { exec: { command: 'x' } } },
      {
        name: 'certificate',
        user: {
          'client-certificate': 'ca.pem',
          'client-key-data': Buffer.from('K').toString('base64'),
        },
      },
    ],
  };
  writeFileSync(file, stringify(content));
  t.match(readKubeconfig(file, ''), {
    server: 'http://a',
    credentials: { token: 'T', certificateAuthority: PEM, skipTlsVerify: false },
  });
  t.match(readKubeconfig(file, 'two'), {
    server: 'https://b',
    credentials: {
      token: '',
      certificateAuthority: 'B',
      clientCertificate: PEM,
      clientKey: 'K',
      skipTlsVerify: true,
      tlsServerName: 'name',
    },
  });
  t.match(readKubeconfig(file, 'three'), { credentials: { token: 'of-file' } });
  t.match(readKubeconfig(file, 'six'), { server: 'http://a', credentials: { token: '' } });
  const refuses = (context: string, message: RegExp): unknown =>
    t.throws(() => readKubeconfig(file, context), { name: 'TargetError', message });
  refuses('four', /user "exec" signs in by exec: give --token-file/);
  refuses('five', /has no cluster "none"/);
  refuses('none', /has no context "none"/);
  for (const text of ['- a', 'a: [', '']) {
    writeFileSync(file, text);
    refuses('', /kubeconfig/);
  }
  t.throws(() => readKubeconfig(join(folder, 'none'), ''), { name: 'TargetError' });
});

t.test('a server is a URL', async (t) => {
  const none = {
    token: '',
    certificateAuthority: '',
    clientCertificate: '',
    clientKey: '',
    skipTlsVerify: false,
    tlsServerName: '',
  };
  t.match(targetFrom('http://a:81/base/', none), { host: 'a', port: 81, basePath: '/base' });
  t.match(targetFrom('http://[::1]', none), { host: '::1', port: 80, tls: undefined });
  t.match(targetFrom('https://a', none), { port: 443, tls: { servername: 'a' } });
  t.match(targetFrom('http://a', { ...none, token: 'T' }).commonHead, /: Bearer T\r\n$/);
  for (const server of ['a', 'ftp://a', '127.0.0.1:8080']) {
    t.throws(() => targetFrom(server, none), { name: 'TargetError' }, server);
  }
  const bad = { ...none, certificateAuthority: 'x', clientCertificate: 'x', clientKey: 'x' };
  t.throws(() => targetFrom('https://a', bad), { name: 'TargetError' });
});

t.test('percentiles are right within four percent', async (t) => {
  const histogram = new Histogram();
  t.equal(histogram.percentile(0.99), 0, 'of nothing');
  for (let value = 1; value <= 10_000; value += 1) histogram.add(value / 10);
  for (const [fraction, expected] of [
    [0.5, 500],
    [0.99, 990],
    [0.999, 999],
  ] as const) {
    const value = histogram.percentile(fraction);
    t.ok(value >= expected && value <= expected * 1.04, `${fraction}: ${value}`);
  }
  t.equal(histogram.max, 1_000);
  t.equal(histogram.percentile(1), 1_000);
  histogram.add(1e9);
  t.equal(histogram.count, 10_001);
  histogram.clear();
  t.equal(histogram.count + histogram.max, 0);
  histogram.add(0);
  t.equal(histogram.percentile(0.5), 0);
});

const ANSWERS = [
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
  '4\r\nseco\r\n00A;x=y\r\nnd\r\n0\r\n\r\n!\r\n0\r\nTrailer: x\r\n\r\n',
  'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nlast',
].join('');

/** Reads these bytes in pieces of this size. */
function answersOf(text: string, pieceBytes: number): string[] {
  const answers: string[] = [];
  const reader = new ResponseReader({
    onHead: (status) => answers.push(`${status} `),
    onBody: (buffer, from, to) => {
      answers[answers.length - 1] += buffer.toString('latin1', from, to);
    },
    onEnd: () => {
      answers[answers.length - 1] += '.';
    },
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    reader.feed(bytes, at, Math.min(bytes.length, at + pieceBytes));
  }
  reader.close();
  return answers;
}

t.test('answers are read out of pieces of any size', async (t) => {
  const expected = ['200 first.', '200 second\r\n0\r\n\r\n!.', '404 .', '200 last.'];
  for (let size = 1; size <= ANSWERS.length; size += 1) {
    const answers = answersOf(ANSWERS, size);
    if (answers.join('|') !== expected.join('|')) t.same(answers, expected, `pieces of ${size}`);
  }
  t.same(answersOf(ANSWERS, ANSWERS.length), expected);
});

t.test('what is not HTTP is refused', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  for (const text of ['SSH-2.0\r\n\r\n', `${head}x\r\n`, `${head}-1\r\n`, `${head}1\r\nab\r\n`]) {
    t.throws(() => answersOf(text, 7), text);
  }
  t.throws(() => answersOf('x'.repeat(70_000), 1_000), /too long/);
});

t.test('a pacer gives turns at its rate, and ends all waits', async (t) => {
  const free = new Pacer(0);
  await free.next();
  const pacer = new Pacer(0.001);
  let turns = 0;
  await pacer.next();
  const waits = [1, 2, 3].map(async () => pacer.next().then(() => (turns += 1)));
  t.equal(turns, 0);
  pacer.stop();
  await Promise.all(waits);
  await pacer.next();
  t.equal(turns, 3);
});
