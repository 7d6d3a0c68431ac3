/**
 * Credentials that clients show to this server, in every place where they can, leave it nowhere: on
 * no port and on no way to an agent, a pod or a service, in no answer, line of the log or audit
 * event.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { made, nodeWith, PODS, podWith } from '../support/cluster-objects.ts';
import {
  adminLines,
  everyPort,
  EXTRA_PREFIX,
  GROUP_HEADER,
  NAME_HEADER,
} from '../support/every-port.ts';
import type { ServedPort } from '../support/every-port.ts';
import { outsideAddress, startAgent } from '../support/fake-agent.ts';
import { exchangeRaw } from '../support/raw-exchange.ts';
import { freePort } from '../support/server-process.ts';
import { SERVER_DIALECT } from '../support/wire-names.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const ENDPOINTS = '/api/v1/namespaces/default/endpoints';
const NODE = '/api/v1/nodes/there/proxy';
const MARK = 'm4rked-credential';
const TOKEN_NAMES = [
  'base64url.bearer.authorization.k8s.io.',
  'base64url.bearer.authorization.cluster.io.',
];

const audits: string[] = [];
const { servers, ports } = await everyPort(t, (folder) => {
  const policy = join(folder, 'policy.yaml');
  const rules = '[{level: RequestResponse}]';
  const group = `audit.${SERVER_DIALECT.domain}`;
  writeFileSync(policy, `{apiVersion: ${group}/v1, kind: Policy, rules: ${rules}}`);
  const log = join(folder, 'audit.log');
  audits.push(log);
  return [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`, '-v=3'];
});

/** Tells who asks it what it was asked with; an agreement to anything that it is asked for. */
const agent = await startAgent(t, {
  onRequest: ({ rawHeaders, url }, response) => {
    response.end(JSON.stringify({ url, rawHeaders, end: 'END' }));
  },
  onUpgrade: ({ rawHeaders, headers, url }, connection) => {
    seen = [`${url}`, ...rawHeaders].join('\n');
    const offered = headers['sec-websocket-protocol']?.split(', ')[0] ?? '';
    const chosen = offered === '' ? '' : `Sec-WebSocket-Protocol: ${offered}\r\n`;
    connection.end(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n' +
        `Upgrade: ${headers.upgrade}\r\n${chosen}\r\nEND`,
    );
  },
});
/** The last credentials of a request to an agent, in a session. */
let seen = '';
const address = outsideAddress();
const silent = await freePort();
for (const server of servers) {
  await nodeWith(server, 'there', address, agent.port);
  await nodeWith(server, 'silent', address, silent);
  await podWith(server, 'x', { podIP: address, spec: { nodeName: 'there' } });
  await podWith(server, 'unreached', { podIP: address, spec: { nodeName: 'silent' } });
  await made(server, SERVICES, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
  const targetRef = { kind: 'Pod', name: 'x' };
  const subsets = [{ addresses: [{ ip: address, targetRef }], ports: [{ port: agent.port }] }];
  await made(server, ENDPOINTS, { metadata: { name: 'web' }, subsets });
}
const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const shown = [MARK, ...servers.map(({ token }) => token)];
const secrets = [...shown, ...shown.map(encoded)];

/** Everything by which somebody can say who they are, besides what they are known by. */
const MARKED: readonly string[] = [
  `Authorization: Basic ${MARK}`,
  `AUTHORIZATION: Bearer ${MARK}`,
  `authorization: Negotiate ${MARK}`,
  `Proxy-Authorization: Basic ${MARK}`,
  `Impersonate-User: root`,
  `Impersonate-Group: system:masters`,
  `iMPERSONATE-gROUP: ${MARK}`,
  `Impersonate-Uid: ${MARK}`,
  `Impersonate-Extra-${MARK}: ${MARK}`,
  `X-Remote-Uid: ${MARK}`,
  `X_Remote_User: ${MARK}`,
  `X_Remote_Extra_${MARK}: ${MARK}`,
  `Connection: X-For-This-Connection`,
  `X-For-This-Connection: ${MARK}`,
];
/** Beside those, where they are not what the port knows its clients by: of the options, ... */
const OF_OPTIONS: readonly string[] = [
  `${NAME_HEADER}: ${MARK}`,
  `${GROUP_HEADER}: ${MARK}`,
  `${EXTRA_PREFIX}${MARK}: ${MARK}`,
];
/** ... and as most proxies call them. */
const USUAL: readonly string[] = [
  `X-Remote-Group: ${MARK}`,
  `x-remote-user: ${MARK}`,
  `X-REMOTE-EXTRA-${MARK}: ${MARK}`,
];
/** Headers that have nothing to do with who asks. */
const HARMLESS = ['Cookie: mine=1', 'X-Note: kept', 'X-Forwarded-For: 203.0.113.9'];
const CONNECTION = 'Connection: Upgrade';
const HANDSHAKE = [
  CONNECTION,
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

/** Sends all of it, and gives the answer with what an agent was asked with. */
async function askWith(
  port: ServedPort,
  request: string,
  lines: readonly string[],
): Promise<{ answer: string; asked: string }> {
  seen = '';
  const ofOptions = port.server === servers[1] ? OF_OPTIONS : [];
  const others = [...MARKED, ...(port.isOfProxy ? [] : [...ofOptions, ...USUAL]), ...HARMLESS];
  const all = [`${request} HTTP/1.1`, 'Host: 127.0.0.1', ...lines, ...others];
  // The first of each header counts on some ports.
  const sorted = all.toSorted((a, b) => Number(b === CONNECTION) - Number(a === CONNECTION));
  const head = [all[0], ...sorted.filter((line) => line !== all[0])].join('\r\n');
  const expected =
    /^HTTP\/1\.1 (?:[13].. [^]*\r\n\r\n|[245].. [^]*\r\n\r\n[^]*(?:END"\}|\}\s$|found\n$))/;
  const answer = await exchangeRaw(port, Buffer.from(`${head}\r\n\r\n`, 'latin1'), expected);
  return { answer, asked: seen };
}

function expectUntold(t: Test, what: string, text: string): void {
  const told = secrets.filter((secret) => text.includes(secret)).length;
  t.equal(told, 0, `${what} tells none: ${told > 0 ? text : ''}`);
  t.notMatch(text, new RegExp(`${NAME_HEADER}|${GROUP_HEADER}`, 'i'));
}

t.test('requests over HTTP', async (t) => {
  const paths: Record<string, string> = {
    'a pod': `GET ${PODS}/https:x:${agent.port}/proxy/a?access_token=q`,
    'a service': `GET ${SERVICES}/https:web:80/proxy/a?access_token=q`,
    'a node': `GET ${NODE}/a?access_token=q`,
    'a node, with a body': `POST ${NODE}/a?access_token=q`,
    'a log': `GET ${PODS}/x/log`,
  };
  for (const [where, port] of ports) {
    for (const [what, request] of Object.entries(paths)) {
      const body = request.startsWith('POST') ? ['Content-Length: 0'] : [];
      const offered = TOKEN_NAMES.map((name) => `Sec-WebSocket-Protocol: ${name}${encoded(MARK)}`);
      const lines = [...adminLines(port), ...body, ...offered];
      const { answer } = await askWith(port, request, lines);
      const about = `${where}: ${what}`;
      t.match(answer, /^HTTP\/1\.1 200 [^]*END/, about);
      expectUntold(t, about, answer);
      if (what === 'a log') continue;
      const kept = ['"mine=1"', '"kept"', `"203.0.113.9, 127.0.0.1"`, '?access_token=q"'];
      for (const text of kept) t.ok(answer.includes(text), `${about}: ${text}`);
    }
  }
});

t.test('sessions', async (t) => {
  const exec = `GET ${PODS}/x/exec?command=ls&stdout=1`;
  const proxied = `GET ${PODS}/https:x:${agent.port}/proxy/a`;
  const ways: Record<string, [request: string, protocols: string]> = {
    exec: [exec, 'v4.channel.k8s.io'],
    'exec, translated': [exec, 'v5.channel.k8s.io'],
    attach: [`GET ${PODS}/x/attach?stdout=1`, 'v4.channel.k8s.io'],
    portforward: [`GET ${PODS}/x/portforward?ports=80`, 'SPDY/3.1+portforward.k8s.io'],
    'a pod': [proxied, 'chat'],
    'a service': [`GET ${SERVICES}/https:web:80/proxy/a`, 'chat'],
    'a node': [`GET ${NODE}/a`, 'chat'],
    'a log': [`GET ${PODS}/x/log`, 'binary.k8s.io'],
  };
  for (const [where, port] of ports) {
    for (const [what, [request, protocol]] of Object.entries(ways)) {
      const token = encoded(port.server.token);
      for (const [place, offered] of Object.entries({
        'before it': TOKEN_NAMES.map((name) => `${name}${token}, ${protocol}`),
        'after it': TOKEN_NAMES.map((name) => `${protocol},${name}${token}`),
        'in a line of its own': TOKEN_NAMES.map(
          (name) => `${protocol}\r\nSEC-WEBSOCKET-PROTOCOL:${name}${token}`,
        ),
        'in odd case': [`${TOKEN_NAMES[0]?.toUpperCase()}${encoded(MARK)}, ${protocol}`],
        'after another one': [
          `${TOKEN_NAMES[0]}${token}, ${TOKEN_NAMES[1]}${encoded(MARK)}, ${protocol}`,
        ],
      })) {
        // Who is known otherwise shows no second token.
        if (port.isOfProxy && place === 'after another one') continue;
        for (const value of offered) {
          const about = `${where}: ${what}, a token ${place}`;
          const lines = [...HANDSHAKE, `Sec-WebSocket-Protocol: ${value}`];
          const { answer, asked } = await askWith(port, request, [...adminLines(port), ...lines]);
          t.match(answer, /^HTTP\/1\.1 101 /, about);
          t.match(
            answer,
            new RegExp(`\r\nSec-WebSocket-Protocol: ${protocol.replace('+', '.')}\r\n`, 'i'),
          );
          if (what !== 'a log') t.match(asked, /^\//, `${about}: the agent is asked`);
          expectUntold(t, about, answer);
          expectUntold(t, `${about}, the agent`, asked);
        }
      }
    }
  }
});

t.test('a token among the subprotocols is who asks, under either name', async (t) => {
  for (const [where, port] of ports) {
    if (port.isOfProxy) continue;
    for (const name of TOKEN_NAMES) {
      seen = '';
      const token = `${name}${encoded(port.server.token)}`;
      for (const value of [
        `${token}, v4.channel.k8s.io`,
        `v4.channel.k8s.io\r\nSec-WebSocket-Protocol: ${token}`,
      ]) {
        const lines = [...HANDSHAKE, 'Host: x', `Sec-WebSocket-Protocol: ${value}`];
        const head = `GET ${PODS}/x/exec?command=ls&stdout=1 HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
        const answer = await exchangeRaw(port, head, /\r\n\r\n/);
        t.match(
          answer,
          /^HTTP\/1\.1 101 [^]*\r\nSec-WebSocket-Protocol: v4\.channel\.k8s\.io\r\n/i,
          where,
        );
        expectUntold(t, where, answer + seen);
      }
    }
  }
});

t.test('sessions of other protocols, on bare connections', async (t) => {
  const ways: Record<string, [request: string, upgrade: string]> = {
    exec: [`POST ${PODS}/x/exec?command=ls&stdout=1`, 'SPDY/3.1'],
    portforward: [`POST ${PODS}/x/portforward`, 'SPDY/3.1'],
    'a pod': [`GET ${PODS}/https:x:${agent.port}/proxy/a`, 'Foo/2'],
  };
  for (const [where, port] of ports) {
    for (const [what, [request, upgrade]] of Object.entries(ways)) {
      const offered = `Sec-WebSocket-Protocol: ${TOKEN_NAMES[0]}${encoded(MARK)}, a`;
      const own = [CONNECTION, `Upgrade: ${upgrade}`, 'X-Stream-Protocol-Version: v4', offered];
      const lines = [...adminLines(port), ...own, 'Content-Length: 0'];
      const { answer, asked } = await askWith(port, request, lines);
      const about = `${where}: ${what}`;
      t.match(answer, port.hasSessions ? /^HTTP\/1\.1 101 / : /^HTTP\/1\.1 302 /, about);
      expectUntold(t, about, answer + asked);
      if (!port.hasSessions) continue;
      t.match(asked, new RegExp(`\nUpgrade\n${upgrade}`, 'i'), 'as it was written');
      for (const text of ['mine=1', 'kept', '203.0.113.9, 127.0.0.1', 'v4']) {
        t.ok(asked.includes(`\n${text}`), `${about}: ${text}`);
      }
    }
  }
});

t.test('refusals', async (t) => {
  const paths = [
    `GET ${PODS}/https:unreached:${silent}/proxy/a?access_token=q`,
    `GET ${PODS}/unreached/log?container=a`,
    `GET ${PODS}/none/proxy`,
    `GET ${PODS}/x:0/proxy`,
    `GET /none`,
    `PUT ${PODS}/x/exec`,
  ];
  for (const [where, port] of ports) {
    for (const request of paths) {
      const { answer } = await askWith(port, request, adminLines(port));
      t.match(answer, /^HTTP\/1\.1 [45]/, `${where}: ${request}`);
      expectUntold(t, `${where}: ${request}`, answer);
    }
    const unknown = await askWith(port, `GET ${PODS}`, [`Authorization: Bearer ${MARK}`]);
    t.match(unknown.answer, /^HTTP\/1\.1 40[13] /, where);
    expectUntold(t, `${where}: who is unknown`, unknown.answer);
  }
});

t.test('logs and audit events', async (t) => {
  for (const [index, { process }] of servers.entries()) {
    const { stdout, stderr } = process;
    t.match(stdout + stderr, /GET "\/api\/v1\/nodes\/there\/proxy\/a"/, 'requests are in the log');
    t.notMatch(stdout + stderr, /access_token/, 'their queries are not');
    // Whom somebody has acted as is what audit events are there for.
    const file = audits[index] ?? '';
    t.ok(existsSync(file));
    const events = readFileSync(file, 'utf8');
    t.match(events, /proxy\/a\?access_token=q/, 'the address is in the audit log');
    expectUntold(t, 'the log', stdout + stderr);
    for (const line of events.split('\n').filter((line) => line !== '')) {
      const { impersonatedUser: _, ...event } = JSON.parse(line);
      const told = secrets.filter((secret) => JSON.stringify(event).includes(secret));
      t.same(told, [], event.auditID);
    }
  }
});

t.end();
