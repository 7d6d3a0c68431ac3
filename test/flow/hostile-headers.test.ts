/**
 * Headers that strangers have a say in: clients, and the pods that are asked for them. Each is one
 * line of an answer, or there is none of it, on every port.
 */
import t from 'tap';
import { nodeWith, PODS, podWith } from '../support/cluster-objects.ts';
import { adminLines, everyPort } from '../support/every-port.ts';
import type { ServedPort } from '../support/every-port.ts';
import { expectUnharmed } from '../support/expect-status.ts';
import { outsideAddress, startRawAgent } from '../support/fake-agent.ts';
import { CONFIG_MAPS } from '../support/kinds.ts';
import { exchangeRaw } from '../support/raw-exchange.ts';

const { servers, ports } = await everyPort(t, () => ['--cors-allowed-origins=.*']);
const address = outsideAddress();
const WHOLE = /\r\n\r\n[^]*(?:\}|ok|\n)$/;
const HEAD = /\r\n\r\n/;
/** No line of a head has these. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\0-\x08\x0A-\x1F\x7F]/;

/** Characters as the bytes that they are in UTF-8. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

function head(method: string, path: string, lines: readonly string[]): Buffer {
  const all = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...lines];
  return Buffer.from(`${all.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** The lines of the head of an answer, the first one too. */
function linesOf(answer: string): string[] {
  return answer.slice(0, answer.indexOf('\r\n\r\n')).split('\r\n');
}

/** The values of a header of an answer. */
function valuesOf(answer: string, name: string): string[] {
  const start = `${name.toLowerCase()}: `;
  const found = linesOf(answer).filter((line) => line.toLowerCase().startsWith(start));
  return found.map((line) => line.slice(start.length));
}

/** Does the same on each port. */
async function onEach(work: (port: ServedPort, where: string) => Promise<void>): Promise<void> {
  for (const [where, port] of ports) await work(port, where);
  for (const server of servers) await expectUnharmed(t, server);
}

t.test('what a client says of itself comes back in one line', async (t) => {
  const ids = {
    'beyond one byte': bytesOf('a€😀b'),
    'of one byte': bytesOf('é1é'),
    'no text at all': 'a\xff\xfeb',
    'a tab': 'a\tb',
    'a deletion': 'a\x7fb',
    long: 'x'.repeat(30_000),
  };
  await onEach(async (port, where) => {
    for (const [what, id] of Object.entries(ids)) {
      const lines = [`Audit-ID: ${id}`, `Origin: http://${id}`];
      const answer = await exchangeRaw(port, head('GET', '/livez', lines), /ok$|^$/);
      const about = `${where}: ${what}`;
      const isControl = what === 'a deletion';
      // Some ports refuse what is no text of a header.
      if (isControl && answer.startsWith('HTTP/1.1 400 ')) continue;
      t.match(answer, /^HTTP\/1\.1 200 OK\r\n/, about);
      t.equal(valuesOf(answer, 'Audit-Id').length, 1, about);
      const allowed = valuesOf(answer, 'Access-Control-Allow-Origin');
      t.equal(allowed.length, isControl ? 0 : 1, about);
      for (const line of linesOf(answer)) t.notMatch(line.replaceAll('\t', ''), CONTROL, about);
    }
  });
});

t.test(
  'a user who is nobody is none, unless it may be one whose letters were dropped',
  async (t) => {
    const withoutUser = /^HTTP\/1\.1 500 [^]* without impersonating a user/;
    await onEach(async (port, where) => {
      const isExact = port.hasSessions;
      const expected = isExact ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 400 [^]*names nobody/;
      const rows: [string[], RegExp][] = [
        [[], expected],
        [['Impersonate-Uid:'], expected],
        [['Impersonate-User: jane'], expected],
        [['Impersonate-Group:'], withoutUser],
        [['Impersonate-Extra-A:'], withoutUser],
      ];
      for (const [more, answer] of rows) {
        const lines = [...adminLines(port), 'Impersonate-User:', ...more];
        t.match(await exchangeRaw(port, head('GET', PODS, lines), WHOLE), answer, where);
      }
    });
  },
);

const reached = await startRawAgent(t, (_, connection) => connection.destroy());
for (const server of servers) {
  await nodeWith(server, 'there', address, reached.port);
  await podWith(server, 'sent', { podIP: address, spec: { nodeName: 'there' } });
}

t.test('a client that is sent elsewhere is sent to what it asked for', async (t) => {
  const upgrade = ['Connection: Upgrade', 'Upgrade: SPDY/3.1'];
  const paths = [
    `${PODS}/sent:${reached.port}/proxy/a%0d%0aSet-Cookie:%20a=b%0d%0a%0d%0a?c=%0d%0aX:y`,
    `${PODS}/sent:${reached.port}/proxy/${bytesOf('€')}%2f%e2%82%ac%00?${bytesOf('€')}`,
    `${PODS}/sent/exec?command=%0d%0aSet-Cookie:%20a=b`,
  ];
  await onEach(async (port, where) => {
    if (port.hasSessions) return;
    for (const path of paths) {
      const answer = await exchangeRaw(
        port,
        head('POST', path, [...adminLines(port), ...upgrade]),
        HEAD,
      );
      t.match(answer, /^HTTP\/1\.1 302 Found\r\n/, where);
      const [location = ''] = valuesOf(answer, 'Location');
      t.equal(location.replace(/^https?:\/\/127\.0\.0\.1:[0-9]+/, ''), path, where);
      t.same(valuesOf(answer, 'Set-Cookie'), []);
    }
  });
  await onEach(async (port, where) => {
    const path = `${PODS}/sent:${reached.port}/proxy?a=%0d%0aSet-Cookie:%20a=b`;
    const answer = await exchangeRaw(port, head('GET', path, adminLines(port)), HEAD);
    t.match(answer, /^HTTP\/1\.1 301 /, where);
    t.same(valuesOf(answer, 'Location'), [path.replace('?', '/?')], where);
  });
});

t.test('a body is read whatever else its head asks for', async (t) => {
  await onEach(async (port, where) => {
    for (const protocol of ['h2c', 'SPDY/3.1', 'websocket', 'odd']) {
      for (const isChunked of [false, true]) {
        const name = `${where}-${protocol}-${isChunked}`.toLowerCase().replaceAll(/\W/g, '-');
        const body = JSON.stringify({ metadata: { name } });
        const size = body.length.toString(16);
        const lines = [
          ...adminLines(port),
          'Content-Type: application/json',
          'Connection: Upgrade',
          `Upgrade: ${protocol}`,
          isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
        ];
        const sent = isChunked ? `${size}\r\n${body}\r\n0\r\n\r\n` : body;
        const bytes = Buffer.concat([head('POST', CONFIG_MAPS, lines), Buffer.from(sent)]);
        t.match(await exchangeRaw(port, bytes, WHOLE), /^HTTP\/1\.1 201 /, name);
      }
    }
    const lines = ['Connection: Upgrade', 'Upgrade: SPDY/3.1', 'Content-Length: 2'];
    const session = head('POST', `${PODS}/sent/exec?command=a`, [...adminLines(port), ...lines]);
    const answer = await exchangeRaw(port, Buffer.concat([session, Buffer.from('{}')]), WHOLE);
    t.match(answer, /^HTTP\/1\.1 400 [^]*"Upgrade request required"/, 'sessions have none');
  });
});

t.test('a client that names no host is not sent anywhere', async (t) => {
  const upgrade = ['Connection: Upgrade', 'Upgrade: SPDY/3.1', 'X-Stream-Protocol-Version: v4'];
  await onEach(async (port, where) => {
    if (port.hasSessions) return;
    for (const host of [
      '',
      'a b',
      'evil.example/x',
      'a@b',
      'a\tb',
      bytesOf('é'),
      '[::1',
      'x:y:80',
    ]) {
      const lines = [...adminLines(port), ...upgrade];
      const bytes = head('POST', `${PODS}/sent/exec?command=a`, lines).toString('latin1');
      const sent = Buffer.from(bytes.replace('Host: 127.0.0.1', `Host: ${host}`), 'latin1');
      const answer = await exchangeRaw(port, sent, WHOLE);
      t.match(answer, /^HTTP\/1\.1 400 /, `${where}: ${JSON.stringify(host)}`);
      t.same(valuesOf(answer, 'Location'), []);
    }
  });
});

const UNREACHED = /^HTTP\/1\.1 503 Service Unavailable\r\n[^]*"error trying to reach service: /;
const SWITCHED =
  /^HTTP\/1\.1 500 [^]*"backend tried to switch protocol .*\\"x\\" when .*\\"\\" was/;

t.test('a request that two readers may take for different ones is for nobody', async (t) => {
  const agent = await startRawAgent(t, (_, connection) => connection.destroy());
  for (const server of servers) await podWith(server, 'asked', { podIP: address });
  const rows: Record<string, readonly string[]> = {
    'two hosts': ['Host: other'],
    'the same host twice': ['Host: 127.0.0.1'],
    'two lengths': ['Content-Length: 1', 'Content-Length: 2'],
    'a length and chunks': ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    'chunks of something else': ['Transfer-Encoding: gzip, chunked'],
    'a length that is none': ['Content-Length: +1'],
  };
  await onEach(async (port, where) => {
    for (const [what, lines] of Object.entries(rows)) {
      const path = `${PODS}/asked:${agent.port}/proxy/`;
      const bytes = head('POST', path, [...adminLines(port), ...lines]);
      const answer = await exchangeRaw(
        port,
        Buffer.concat([bytes, Buffer.from('0\r\n\r\n')]),
        HEAD,
      );
      t.match(answer, /^HTTP\/1\.1 400 /, `${where}: ${what}`);
    }
  });
  t.same(agent.heads, []);
});

t.test('headers for one connection stay there, but those that say what a request is', async (t) => {
  const agent = await startRawAgent(t, (_, connection) => {
    connection.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  });
  for (const server of servers) await podWith(server, 'told', { podIP: address });
  await onEach(async (port, where) => {
    const lines = [
      ...adminLines(port),
      'Connection: x-mine, HOST, Content-Length, keep-alive',
      'X-Mine: 1',
      'Keep-Alive: timeout=5',
      'Content-Length: 5',
      'X-Forwarded-Uri: /mine',
      `X-Text: ${bytesOf('5 € each')}`,
    ];
    const path = `${PODS}/told:${agent.port}/proxy/b%2f%2e%2e/%E2%82%AC%00?c=${bytesOf('€')}&d=%0a`;
    const bytes = Buffer.concat([head('GET', path, lines), Buffer.from('hello')]);
    const answer = await exchangeRaw(port, bytes, WHOLE);
    // Some ports take no target beyond ASCII.
    if (answer.startsWith('HTTP/1.1 400 Bad Request\r\nConnection: close')) return;
    t.match(answer, /^HTTP\/1\.1 200 /, where);
    const asked = agent.heads.at(-1) ?? '';
    t.match(asked, /^GET \/%E2%82%AC%00\?c=%E2%82%AC&d=%0a HTTP\/1\.1\r\n/, where);
    t.equal(asked.match(/\r\nhost: 127\.0\.0\.1\r\n/gi)?.length, 1, where);
    t.equal(asked.match(/\r\ncontent-length: 5\r\n/gi)?.length, 1, where);
    t.notMatch(asked, /x-mine|keep-alive|\/mine/i, where);
    t.ok(asked.includes(bytesOf('5 € each')), where);
  });
});

t.test(
  'another version of HTTP is no session: its requests would be looked at by nobody',
  async (t) => {
    const agent = await startRawAgent(t, (_, connection) => {
      connection.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    for (const server of servers) await podWith(server, 'newer', { podIP: address });
    await onEach(async (port, where) => {
      for (const upgrade of ['h2c', 'H2C', 'foo, h2c', 'HTTP/2.0', 'TLS/1.2, http/1.1']) {
        const lines = [
          ...adminLines(port),
          'Connection: Upgrade, HTTP2-Settings',
          `Upgrade: ${upgrade}`,
          'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
        ];
        const path = `${PODS}/newer:${agent.port}/proxy/`;
        const answer = await exchangeRaw(port, head('GET', path, lines), WHOLE);
        t.match(answer, /^HTTP\/1\.1 200 /, `${where}: ${upgrade}`);
        t.notMatch(agent.heads.at(-1), /upgrade|http2-settings/i, `${where}: ${upgrade}`);
      }
    });
  },
);

t.test('answers of pods that no client is to see as they are', async (t) => {
  const rows: Record<string, string> = {
    'another protocol that nobody asked for':
      '101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade',
    'a code below all others': '099 Low',
    'no code': 'abc No',
    'a line feed alone': '200 OK\r\nX-A: a\nSet-Cookie: a=b',
    'a carriage return alone': '200 OK\r\nX-A: a\rSet-Cookie: a=b',
    'NUL in a value': '200 OK\r\nX-A: a\0b',
    'an escape in a value': '200 OK\r\nX-A: a\x1b[2Jb',
    'a name that is none': '200 OK\r\nX A: b',
    'two lengths': '200 OK\r\nContent-Length: 1\r\nContent-Length: 2',
    'a length and chunks': '200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked',
    'a length that is none': '200 OK\r\nContent-Length: x',
    'a very long head': `200 OK\r\nX-A: ${'x'.repeat(100_000)}`,
    'no HTTP': '',
  };
  const agent = await startRawAgent(t, (asked, connection) => {
    const what = decodeURIComponent(/\/answer\/([^ ]*)/.exec(asked)?.[1] ?? '');
    const text = rows[what] ?? '';
    connection.end(
      Buffer.from(text === '' ? 'hello\r\n\r\n' : `HTTP/1.1 ${text}\r\n\r\nx`, 'latin1'),
    );
  });
  for (const server of servers) await podWith(server, 'hostile', { podIP: address });
  await onEach(async (port, where) => {
    for (const what of Object.keys(rows)) {
      const path = `${PODS}/hostile:${agent.port}/proxy/answer/${encodeURIComponent(what)}`;
      const answer = await exchangeRaw(port, head('GET', path, adminLines(port)), WHOLE);
      const isSwitch = what.startsWith('another protocol');
      t.match(answer, isSwitch ? SWITCHED : UNREACHED, `${where}: ${what}`);
      t.same(valuesOf(answer, 'Set-Cookie'), []);
    }
  });
});

t.test('answers of pods that are passed on byte for byte', async (t) => {
  const agent = await startRawAgent(t, (_, connection) => {
    const lines = [
      'HTTP/1.1 599 \x01\x02',
      'X-Text: \xe2\x82\xac',
      'X-Bytes: \xff\xfe',
      'Connection: X-Mine, close',
      'X-Mine: for this connection',
      'Location: /a%0d%0ab',
      'Content-Length: 2',
    ];
    connection.end(Buffer.from(`${lines.join('\r\n')}\r\n\r\nok`, 'latin1'));
  });
  for (const server of servers) await podWith(server, 'honest', { podIP: address });
  await onEach(async (port, where) => {
    const name = `honest:${agent.port}`;
    const answer = await exchangeRaw(
      port,
      head('GET', `${PODS}/${name}/proxy/`, adminLines(port)),
      WHOLE,
    );
    t.match(answer, /^HTTP\/1\.1 599 [ -~]*\r\n/, where);
    t.same(valuesOf(answer, 'X-Text'), ['\xe2\x82\xac'], where);
    t.same(valuesOf(answer, 'X-Bytes'), ['\xff\xfe'], where);
    t.same(valuesOf(answer, 'X-Mine'), [], where);
    t.same(valuesOf(answer, 'Location'), [`${PODS}/${name}/proxy/a%0d%0ab`], where);
  });
});

t.test('the agreement of an agent on another protocol', async (t) => {
  const agent = await startRawAgent(t, (asked, connection) => {
    const isBad = asked.includes('/bad');
    const lines = [
      `HTTP/1.1 101 ${isBad ? 'a\x01b' : 'Sure'}`,
      'Connection: Upgrade',
      `Upgrade: ${isBad ? 'websocket' : 'foo'}`,
      `Sec-WebSocket-Protocol: ${isBad ? 'a\x1bb' : 'chosen'}`,
      'X-Text: \xe2\x82\xac',
    ];
    connection.end(Buffer.from(`${lines.join('\r\n')}\r\n\r\nhello`, 'latin1'));
  });
  for (const server of servers) await podWith(server, 'agreeing', { podIP: address });
  await onEach(async (port, where) => {
    const path = `${PODS}/agreeing:${agent.port}/proxy`;
    const handshake = [
      ...adminLines(port),
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    const bad = head('GET', `${path}/bad`, [...handshake, 'Upgrade: websocket']);
    const refused = await exchangeRaw(port, bad, WHOLE);
    t.match(refused, /^HTTP\/1\.1 500 Internal Server Error\r\n/, where);
    if (!port.hasSessions) return;
    const good = head('GET', `${path}/good`, [...handshake, 'Upgrade: Foo']);
    const agreed = await exchangeRaw(port, good, /hello$/);
    t.match(agreed, /^HTTP\/1\.1 101 Switching Protocols\r\n/, where);
    t.same(valuesOf(agreed, 'Upgrade'), ['foo']);
    t.same(valuesOf(agreed, 'X-Text'), ['\xe2\x82\xac']);
    t.match(agent.heads.at(-1), /\r\nupgrade: Foo\r\n/i, 'asked for as the client wrote it');
  });
});

t.end();
