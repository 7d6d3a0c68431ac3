/** `npm run soak` as users run it: against the server, and against one that lies. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { Test } from 'tap';
import { freePort, temporaryFolder } from '../support/server-process.ts';
import { startServer } from '../support/server.ts';
import { readOptions } from '../../tools/soak/options.ts';
import { reportPage } from '../../tools/report/page.ts';
import type { Report } from '../../tools/soak/report.ts';
import { soakPage } from '../../tools/soak/soak-page.ts';
import { Soak } from '../../tools/soak/soak.ts';
import { targetFrom } from '../../tools/soak/target.ts';

t.jobs = 5;

const MAIN = fileURLToPath(new URL('../../tools/soak/main.ts', import.meta.url));
const RUN_MS_MAX = 60_000;
/** Little of everything, so that each fault has many chances in a second. */
const SMALL = ['--watches', '12', '--objects', '12', '--bytes', '40', '--grace', '1s'];

const securePort = await freePort();
const server = await startServer({
  test: t,
  args: ['--secure-port', String(securePort), '--durability', 'relaxed'],
});
// Not the token itself, as users are to do: others can read command lines.
const TOKEN = ['--token-file', join(server.dataDirectory, 'admin.token')];

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined when none was written. */
  readonly report: Report | undefined;
}

/** `onOutput` sees all output so far, each time that there is more. */
async function soak(
  args: readonly string[],
  onOutput: (output: string, pid: number) => void = () => undefined,
): Promise<Run> {
  const folder = temporaryFolder();
  const file = join(folder, 'report.json');
  const child = spawn(process.execPath, [MAIN, '--report', file, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_MS_MAX,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    onOutput(stdout, child.pid ?? 0);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  let report: Report | undefined;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    report = undefined;
  }
  return { code, stdout, stderr, report };
}

/** Gives the namespaces that a run has left. */
async function leftOf(report: Report | undefined): Promise<string[]> {
  const { json } = await server.get('/api/v1/namespaces');
  const names: string[] = json.items.map((item: any) => item.metadata.name);
  return names.filter((name) => name.startsWith(`soak-${report?.runId}`));
}

t.test('a server that does what it must passes, over HTTPS too', async (t) => {
  const kubeconfig = join(server.dataDirectory, 'admin.kubeconfig');
  const few = ['--watches', '40', '--objects', '40', '--bytes', '100', '--bookmarks'];
  const rough = ['--reconnect', '0.5', '--reconnect-every', '1s', '--stall', '0.2'];
  const times = ['--stall-for', '200ms', '--rate', '300'];
  const isRough = (report: Report | undefined): boolean =>
    ['reconnects', 'stalls'].every((name) => (report?.totals[name] ?? 0) > 0) &&
    (report?.totals['writes'] ?? 0) > 10 &&
    (report?.totals['events'] ?? 0) > 50;
  const run = (seconds: string) =>
    soak(['--kubeconfig', kubeconfig, ...few, ...rough, ...times, '--seconds', seconds]);
  let made = await run('1.5');
  // A slow machine does in a longer time what it does not come to in so short a one.
  if (made.code === 0 && !isRough(made.report)) made = await run('20');
  const { code, stdout, stderr, report } = made;
  t.equal(code, 0, stdout + stderr);
  t.match(stdout, /^soak [0-9a-f]{8}: 40 watches, 40 configmaps, 4 writers, \d+(\.5)? s, https:/);
  t.match(stdout, /\n00:00:\d\d \w+ +open \d+ {2}events\/s \d+ {2}writes\/s \d+ {2}lag ms p50 /);
  t.match(stdout, /\nPASS\n$/);
  t.match(report, { verdict: 'PASS', reason: '', serverVersion: /^v1\./, interrupted: false });
  t.same(new Set(Object.values(report?.violations ?? {})), new Set([0]));
  const { lagMs, options } = report ?? {};
  t.ok(isRough(report), `much was done, and clients were rough: ${JSON.stringify(report?.totals)}`);
  t.ok((lagMs?.count ?? 0) > 0 && (lagMs?.p50 ?? 1) <= (lagMs?.max ?? 0), 'lag was measured');
  t.notOk(Object.hasOwn(options ?? {}, 'token'));
  const page = report === undefined ? '' : reportPage(soakPage(report));
  t.match(page, /class="passed">PASS<.*<h3>Lag from .*<polyline .*<h3>Memory of the soak/s);
  t.same(await leftOf(report), [], 'it deletes its namespaces');
});

t.test('an interrupted run ends in order, with its verdict', async (t) => {
  let isSignalled = false;
  const args = ['--server', `http://127.0.0.1:${server.port}`, ...TOKEN, ...SMALL];
  const { code, report } = await soak([...args, '--seconds', '1h'], (output, pid) => {
    if (isSignalled || !/ run +open \d+ +events\/s [1-9]/.test(output)) return;
    isSignalled = true;
    process.kill(pid, 'SIGINT');
  });
  t.equal(code, 0);
  t.match(report, { verdict: 'PASS', interrupted: true });
  t.same(await leftOf(report), []);
});

/** A proxy treats a line of a watch so: it gives what it sends instead, and may end the stream. */
type Lie = (
  line: string,
  lineNumber: number,
) => { readonly send: string[]; readonly cut?: boolean };

interface Behaviour {
  readonly lie?: () => Lie;
  /** Whether this watch is answered with 410. */
  readonly refuses?: () => boolean;
  /** Whether a list is answered with what it was the first time. */
  readonly staleLists?: boolean;
  /** The treatment of an update: done, done without telling so, told as done without doing it. */
  readonly write?: () => 'done' | 'silent' | 'faked';
}

/** Between the soak and the server. */
async function startProxy(t: Test, behaviour: Behaviour): Promise<string> {
  const lists = new Map<string, Buffer>();
  const relay = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url = '', headers } = request;
    const isWatch = url.includes('watch=true');
    if (isWatch && behaviour.refuses?.() === true) {
      response.writeHead(410).end('{}');
      return;
    }
    const write = method === 'PUT' ? (behaviour.write?.() ?? 'done') : 'done';
    if (write === 'faked') {
      void answerUnwritten(request, response);
      return;
    }
    const isList = method === 'GET' && !isWatch && url.includes('limit=');
    const before = isList && behaviour.staleLists === true ? lists.get(url) : undefined;
    if (before !== undefined) {
      response.writeHead(200).end(before);
      return;
    }
    const onward = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      method,
      path: url,
      headers,
    });
    onward.on('response', (answer) => {
      if (write === 'silent') {
        response.destroy();
        return;
      }
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      response.flushHeaders();
      if (isWatch && behaviour.lie !== undefined) tamper(answer, response, behaviour.lie());
      else answer.pipe(response);
      if (!isList) return;
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => lists.set(url, Buffer.concat(chunks)));
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  };
  const proxy = createServer(relay).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

/** As if the update had been done. */
async function answerUnwritten(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  response.writeHead(200).end(body.replace(/("resourceVersion":"[0-9]+)/, '$100'));
}

/** The one value for each call whose number is a multiple of `count`, the other for the rest. */
function everyNth<T>(count: number, value: T, otherwise: T): () => T {
  let calls = 0;
  return () => ((calls += 1) % count === 0 ? value : otherwise);
}

function tamper(answer: IncomingMessage, response: ServerResponse, lie: Lie): void {
  let rest = '';
  let lineNumber = 0;
  answer.setEncoding('utf8');
  answer.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { send, cut } = lie(line.trim(), (lineNumber += 1));
      for (const sent of send) response.write(`${sent}\n`);
      // Bytes that were written before still go out.
      if (cut === true) response.socket?.destroySoon();
    }
  });
  answer.on('end', () => response.end());
  answer.on('error', () => response.destroy());
}

function bookmarkAt(line: string): string {
  const { object } = JSON.parse(line) as { object: { metadata: { resourceVersion: string } } };
  const { resourceVersion } = object.metadata;
  return JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion } } });
}

function swapping(): Lie {
  let held: string | undefined;
  return (line, number) => {
    if (held === undefined && number % 5 === 4) {
      held = line;
      return { send: [] };
    }
    const send = held === undefined ? [line] : [line, held];
    held = undefined;
    return { send };
  };
}

interface LieCase {
  readonly what: string;
  readonly behaviour: Behaviour;
  readonly found: string;
  /** These may be found as well. */
  readonly also?: readonly string[];
}

const LIES: readonly LieCase[] = [
  {
    what: 'leaves lines out',
    behaviour: { lie: () => (line, number) => ({ send: number % 6 === 3 ? [] : [line] }) },
    found: 'gap',
  },
  {
    what: 'repeats lines',
    behaviour: {
      lie: () => (line, number) => ({ send: number % 6 === 3 ? [line, line] : [line] }),
    },
    found: 'duplicate',
  },
  // The line that is to come after the last one never comes.
  { what: 'swaps lines', behaviour: { lie: swapping }, found: 'disorder', also: ['gap'] },
  {
    what: 'changes a character of a payload',
    behaviour: {
      lie: () => (line, number) => ({
        send: [number % 6 === 3 ? line.replace(/("payload":"[^"]*)."/, '$1~"') : line],
      }),
    },
    found: 'wrongContent',
  },
  {
    what: 'gives a bookmark before what it stands for',
    behaviour: {
      lie: () => (line, number) =>
        number % 6 === 3 ? { send: [bookmarkAt(line)], cut: true } : { send: [line] },
    },
    found: 'gap',
  },
  { what: 'gives old lists', behaviour: { staleLists: true }, found: 'staleList' },
  {
    what: 'answers updates that it does not do',
    behaviour: { write: everyNth(4, 'faked', 'done') },
    found: 'lostWrite',
    // Where the run ends before the writer comes back to the object.
    also: ['gap', 'staleList'],
  },
];

/** A slow machine does in a longer run what does not happen in the first one. */
const RUN_SECONDS = ['1', '5', '20'];

/** Runs until one shows what it should; gives the report of the last. */
async function soakUntil(
  url: string,
  args: readonly string[],
  shows: (report: Report) => boolean,
): Promise<Report> {
  for (const seconds of RUN_SECONDS.slice(0, -1)) {
    const report = await soakHere(url, ['--seconds', seconds, ...args]);
    if (shows(report)) return report;
  }
  return soakHere(url, ['--seconds', RUN_SECONDS.at(-1) ?? '', ...args]);
}

/** A soak in this process: a process for each would take longer than the runs. */
async function soakHere(url: string, args: readonly string[]): Promise<Report> {
  const options = readOptions([...SMALL, '--bookmarks', ...args]);
  if (options === undefined) throw new Error('no options');
  const credentials = {
    token: server.token,
    certificateAuthority: '',
    clientCertificate: '',
    clientKey: '',
    skipTlsVerify: false,
    tlsServerName: '',
  };
  return new Soak(options, targetFrom(url, credentials), { write: () => undefined }).run();
}

t.test('a server that lies fails, one that is only rough passes', async (t) => {
  t.jobs = LIES.length + 1;
  for (const { what, behaviour, found, also = [] } of LIES) {
    t.test(`one that ${what}`, async (t) => {
      const url = await startProxy(t, behaviour);
      // One writer: then the order of all its writes is known.
      const args = ['--writers', '1', '--reconnect', '0', '--watch-mix', 'all,namespace'];
      const reason = new RegExp(`[1-9][0-9]* ${found}`);
      const report = await soakUntil(url, args, (made) => reason.test(made.reason));
      t.equal(report.verdict, 'FAIL');
      t.match(report.reason, reason);
      const kinds = Object.entries(report.violations).filter(([, count]) => count > 0);
      const unexpected = kinds.filter(([kind]) => ![found, ...also].includes(kind));
      t.same(unexpected, []);
      t.match(report.firstViolations[0], { watch: /^(watch|writer|list) /, detail: /soak-/ });
    });
  }

  t.test('one that ends streams, forgets versions and does not answer', async (t) => {
    const url = await startProxy(t, {
      lie: () => (line, number) => ({
        send: number % 5 === 2 ? [line, bookmarkAt(line)] : [line],
        cut: number % 12 === 11,
      }),
      refuses: everyNth(4, true, false),
      write: everyNth(5, 'silent', 'done'),
    });
    const rough = ['gone', 'errors', 'bookmarks', 'retriedWrites'];
    const { verdict, reason, totals } = await soakUntil(
      url,
      [],
      (report) => report.verdict !== 'PASS' || rough.every((name) => report.totals[name] ?? 0),
    );
    t.equal(verdict, 'PASS', reason);
    for (const name of rough) t.ok((totals[name] ?? 0) > 0, `${totals[name]} ${name}`);
  });
});

t.test('a verdict that is not PASS has its line and exit code', async (t) => {
  const url = await startProxy(t, LIES[0]?.behaviour ?? {});
  const { code, stdout } = await soak(['--server', url, ...TOKEN, ...SMALL, '--seconds', '1']);
  t.equal(code, 1);
  t.match(stdout, /\nfirst gap: watch \d+ \/api\/v1\/.*\nFAIL: [1-9][0-9]* gap\n$/);
});

t.test('what cannot run says so in one line', async (t) => {
  const away = `http://127.0.0.1:${await freePort()}`;
  const cases: readonly [args: string[], code: number, line: RegExp][] = [
    [[], 2, /^soak: which server\? Give --server URL or --kubeconfig FILE .*\n$/],
    [['--watches', 'many'], 2, /^soak: --watches is "many": .*\n$/],
    [['--server', 'here'], 2, /^soak: "here" is no URL: .*\n$/],
    [['--server', away], 1, /\nFAIL: http.* cannot be reached: .*ECONNREFUSED.*\n$/],
    [['--server', `http://127.0.0.1:${server.port}`], 1, /\nFAIL: .* a namespace with 403: .*\n$/],
  ];
  const runs = cases.map(async ([args, expected, line]) => {
    const { code, stdout, stderr } = await soak(args);
    t.equal(code, expected, args.join(' '));
    t.match(expected === 2 ? stderr : stdout, line);
  });
  await Promise.all(runs);
});

t.end();
