/** Whom requests to node agents and proxies are for, and in which words it is said. */
import { createServer } from 'node:net';
import { once } from 'node:events';
import t from 'tap';
import { joinHostPort } from '../../src/base/dial-error.ts';
import { askAgent } from '../../src/front/agents/agent-client.ts';
import { proxyPath } from '../../src/front/agents/pass-request.ts';
import { clientLocation } from '../../src/front/agents/proxied-links.ts';
import { containerOf } from '../../src/front/operations/node-agent.ts';
import { logParameters } from '../../src/front/operations/pod-log.ts';
import { proxyableAddress } from '../../src/front/operations/proxyable-address.ts';
import { parseProxyName, proxyableAddresses } from '../../src/front/operations/proxy.ts';
import { Query } from '../../src/front/requests/query.ts';
import { freePort } from '../support/server-process.ts';
import { thrownStatus } from '../support/thrown-status.ts';

t.test('the container that is meant', async (t) => {
  const metadata = { name: 'x' };
  const one = { metadata, spec: { containers: [{ name: 'a' }] } };
  const two = { metadata, spec: { containers: [{ name: 'a' }, { name: 'b' }] } };
  const all = {
    metadata,
    spec: {
      initContainers: [{ name: 'init' }],
      containers: [{ name: 'a' }, { name: 'b' }],
      ephemeralContainers: [{ name: 'debug' }],
    },
  };
  const withInit = { metadata, spec: { ...all.spec, containers: [{ name: 'a' }] } };
  const chosen: [typeof one, string, string][] = [
    [one, '', 'a'],
    [withInit, '', 'a'],
    [two, 'b', 'b'],
    [all, 'init', 'init'],
    [all, 'debug', 'debug'],
  ];
  for (const [pod, asked, name] of chosen) t.equal(containerOf(pod, asked), name);
  const refused: [typeof one, string, string][] = [
    [two, '', 'a container name must be specified for pod x, choose one of: [a b]'],
    [all, '', 'a container name must be specified for pod x, choose one of: [init a b debug]'],
    [one, 'b', 'container b is not valid for pod x'],
    [{ metadata, spec: { containers: [] } }, '', 'a container name must be specified for pod x'],
  ];
  for (const [pod, asked, message] of refused) {
    t.match(
      thrownStatus(() => containerOf(pod, asked)),
      { code: 400, message },
    );
  }
});

t.test('what a log is asked with', async (t) => {
  const passed: [string, string][] = [
    ['', ''],
    ['container=a&pretty=true', ''],
    ['tailLines=0&follow', 'follow=true&tailLines=0'],
    ['follow=false&previous=1&timestamps=true', 'previous=true&timestamps=true'],
    ['sinceTime=2024-01-01T01:00:00%2B01:00', 'sinceTime=2024-01-01T00%3A00%3A00Z'],
    ['sinceSeconds=5&limitBytes=1', 'limitBytes=1&sinceSeconds=5'],
  ];
  for (const [query, parameters] of passed) {
    t.equal(logParameters(new Query(query), 'x'), parameters, query);
  }
  const start = 'PodLogOptions "x" is invalid: ';
  const refused: [string, number, string | RegExp][] = [
    [
      'tailLines=-1',
      422,
      `${start}tailLines: Invalid value: -1: must be greater than or equal to 0`,
    ],
    ['limitBytes=0', 422, `${start}limitBytes: Invalid value: 0: must be greater than 0`],
    ['sinceSeconds=0', 422, `${start}sinceSeconds: Invalid value: 0: must be greater than 0`],
    [
      'sinceSeconds=1&sinceTime=2024-01-01T00:00:00Z',
      422,
      /at most one of `sinceTime` or `sinceSeconds` may be specified/,
    ],
    ['tailLines=x', 400, /invalid syntax/],
    ['sinceTime=yesterday', 400, /yesterday/],
  ];
  for (const [query, code, message] of refused) {
    t.match(
      thrownStatus(() => logParameters(new Query(query), 'x')),
      { code, message },
      query,
    );
  }
});

t.test('which output a log is of, where that is a feature', async (t) => {
  const asked = (query: string): string => logParameters(new Query(query), 'x', true);
  t.equal(asked(''), 'stream=All');
  t.equal(asked('stream=Stderr&follow'), 'follow=true&stream=Stderr');
  t.equal(asked('stream=All&tailLines=1'), 'stream=All&tailLines=1');
  t.match(
    thrownStatus(() => asked('stream=Other')),
    { code: 422, message: /stream: Unsupported value: "Other": supported values: "All", / },
  );
  t.match(
    thrownStatus(() => asked('stream=Stdout&tailLines=1')),
    { code: 422, message: /`tailLines` and specific `stream` are mutually exclusive for now$/ },
  );
  t.equal(
    logParameters(new Query('stream=Stderr'), 'x'),
    '',
    'earlier releases know nothing of it',
  );
});

t.test('names of what a proxy is for', async (t) => {
  const rows: [string, { name: string; port: string; scheme?: string }][] = [
    ['x', { name: 'x', port: '' }],
    ['x:80', { name: 'x', port: '80' }],
    ['x:', { name: 'x', port: '' }],
    ['https:x:web', { name: 'x', port: 'web', scheme: 'https' }],
    ['http:x:', { name: 'x', port: '' }],
    [':x:80', { name: 'x', port: '80' }],
  ];
  for (const [text, expected] of rows) {
    t.same(parseProxyName('pod', text), { scheme: 'http', ...expected }, text);
  }
  for (const text of [':80', 'ftp:x:80', 'a:b:c:d', 'https::80']) {
    const message = `invalid pod request ${JSON.stringify(text)}`;
    t.match(
      thrownStatus(() => parseProxyName('pod', text)),
      { code: 400, message },
    );
  }
});

t.test('addresses that are asked, in their one form', async (t) => {
  for (const [ip, asked] of [
    ['10.0.0.1', '10.0.0.1'],
    ['192.168.0.1', '192.168.0.1'],
    ['8.8.8.8', '8.8.8.8'],
    ['FD00:0::1', 'fd00::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['0.0.0.1', '0.0.0.1'],
  ] as const) {
    t.equal(proxyableAddress(ip), asked, ip);
  }
  const not = ['', 'x', '0.0.0.0', '127.0.0.1', '127.9.9.9', '169.254.169.254', '224.0.0.1'];
  const numbers = ['0177.0.0.1', '010.0.0.1', '0x7f.1', '127.1', '2130706433', '10.0.0.1%eth0'];
  const mapped = ['::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:169.254.169.254', '::ffff:0.0.0.0'];
  for (const ip of [
    ...not,
    ...numbers,
    ...mapped,
    '255.255.255.255',
    '239.255.255.255',
    '::',
    '0:0:0:0:0:0:0:0',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::1%lo',
    '[::1]',
    '[fd00::1]',
    'fe80::1',
    'FEBF::1',
    'ff02::1',
    'FF0E::1',
  ]) {
    t.equal(proxyableAddress(ip), undefined, ip);
  }
});

t.test('a name is looked up once, and what it stood for then is connected to', async (t) => {
  const answers = [['10.0.0.1', 'FD00::1'], ['127.0.0.1']];
  let asked = 0;
  const lookUp = async (): Promise<readonly string[]> => answers[asked++] ?? [];
  t.same(await proxyableAddresses('node.example', lookUp), ['10.0.0.1', 'fd00::1']);
  t.equal(asked, 1);
  await t.rejects(proxyableAddresses('node.example', lookUp), { message: 'address not allowed' });
  const none = { message: 'lookup node.example: no such host' };
  await t.rejects(proxyableAddresses('node.example', lookUp), none);
  const some = async () => ['10.0.0.1', '::1'];
  await t.rejects(proxyableAddresses('node.example', some), { message: 'address not allowed' });
  const zoned = async () => ['fe80::1%eth0'];
  await t.rejects(proxyableAddresses('node.example', zoned), { message: 'address not allowed' });
  t.same(await proxyableAddresses('10.0.0.1', some), ['10.0.0.1'], 'an address is none');
});

t.test('an attempt to connect', async (t) => {
  const port = await freePort();
  const ask = (host: string) => {
    const target = { scheme: 'http', host, port } as const;
    const asked = { method: 'GET', path: '/', headers: [['Host', 'x']] } as const;
    return askAgent(target, asked, () => undefined);
  };
  const message = `dial tcp 127.0.0.1:${port}: connect: connection refused`;
  await t.rejects(ask('127.0.0.1'), { message, isDial: true });
  await t.rejects(ask('no-such-host.invalid'), { message: /^dial tcp.*no-such-host\.invalid/ });
  const silent = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  await once(silent, 'listening');
  await t.rejects(ask('127.0.0.1'), { message: 'EOF', isDial: false });
  const known = { scheme: 'http', host: 'no-such-host.invalid', port } as const;
  const asked = { method: 'GET', path: '/', headers: [['Host', 'x']] } as const;
  const addresses = ['127.0.0.1'];
  await t.rejects(
    askAgent({ ...known, addresses }, asked, () => undefined),
    { message: 'EOF', isDial: false },
    'no other address is asked for',
  );
  silent.close();
  await t.rejects(
    askAgent({ ...known, port: 70_000 }, asked, () => undefined),
    { message: 'dial tcp: address 70000: invalid port', isDial: true },
  );
  t.equal(joinHostPort('::1', 80), '[::1]:80');
});

t.test('paths and places behind a proxy', async (t) => {
  const prefix = '/api/v1/nodes/x/proxy';
  const below = '/api/v1/namespaces/a/pods/proxy/proxy';
  const paths: [string, { prefix: string; rest: string }][] = [
    [prefix, { prefix, rest: '' }],
    [`${prefix}/`, { prefix, rest: '/' }],
    [`${prefix}/a b//./../c`, { prefix, rest: '/c' }],
    [`${prefix}/../../a/`, { prefix, rest: '/a/' }],
    [below, { prefix: below, rest: '' }],
    [`${below}/proxy/b`, { prefix: below, rest: '/proxy/b' }],
  ];
  for (const [path, expected] of paths) t.same(proxyPath(path), expected, path);
  const from = { prefix, hosts: ['10.0.0.1:80', 'server:6443'] };
  const places: [string, string][] = [
    ['/foo?a#b', `${prefix}/foo?a#b`],
    [`${prefix}/foo`, `${prefix}/foo`],
    ['http://10.0.0.1:80/foo/', `${prefix}/foo/`],
    ['https://server:6443/foo', `https://server:6443${prefix}/foo`],
    ['http://other/foo', 'http://other/foo'],
    ['//other', '//other'],
    ['//other/foo', '//other/foo'],
    ['//other?/foo', '//other?/foo'],
    ['//10.0.0.1:80/foo', `${prefix}/foo`],
    ['http:/foo', `${prefix}/foo`],
    ['http:///foo', `${prefix}/foo`],
    ['data:,/foo', 'data:,/foo'],
    ['', ''],
    ['?/foo', '?/foo'],
    ['foo', 'foo'],
    ['../foo', '../foo'],
  ];
  for (const [location, expected] of places) t.equal(clientLocation(location, from), expected);
});

t.end();
