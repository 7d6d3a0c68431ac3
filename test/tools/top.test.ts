/** What a server does, told in a terminal and to programs. */
import t from 'tap';
import type { Figures } from '../../tools/top/figures.ts';
import { runTop } from '../../tools/top/run.ts';
import { screenText } from '../../tools/top/screen.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';

/** The output of a run, and its exit code. */
async function top(...args: readonly string[]) {
  let [text, said] = ['', ''];
  const output = {
    write: (part: string) => void (text += part),
    say: (line: string) => void (said += line),
  };
  return { code: await runTop(args, output), text, said };
}

t.test('one look at a server that is used', async (t) => {
  const server = await startServer({ test: t });
  const watch = await server.watch(`${CONFIG_MAPS}?watch=true`);
  t.teardown(() => watch.close());
  await server.post(CONFIG_MAPS, configMap('a', { b: 'c' }));
  let isLooking = true;
  const asking = (async () => {
    while (isLooking) await server.get(`${CONFIG_MAPS}/a`);
  })();
  const here = `--data-dir=${server.dataDirectory}`;
  const json = await top('--once', '--json', '--every=1.5', here);
  const tables = await top('--once', '--every=0.2', '--rows=3', here);
  isLooking = false;
  await asking;
  t.equal(json.code, 0);
  const figures = JSON.parse(json.text) as Figures;
  t.ok(figures.seconds >= 1.5 && figures.process.residentBytes > 0);
  const gets = figures.requests.find(
    ({ verb, resource }) => `${verb} ${resource}` === 'GET configmaps',
  );
  t.ok((gets?.perSecond ?? 0) > 0 && (gets?.p99 ?? 0) > 0, 'gets have a rate and a latency');
  t.match(figures.watches.types, [{ resource: 'configmaps', live: 1 }]);
  t.ok(figures.levels.some(({ level, seats = 0 }) => level === 'catch-all' && seats > 0));
  t.ok(figures.types.some(({ resource, objects }) => resource === 'configmaps' && objects > 0));
  t.match(tables, { code: 0, text: /^REQUESTS +\/s +refused\/s +p50 +p99\nGET configmaps +\d/m });
  t.match(tables.text, /^and \d+ more$/m, 'three types of many');
  t.match(await top('--once', '--every=0', here), { code: 1, said: /give a number above 0/ });
  await server.stop();
  t.match(await top('--once', here), { code: 1, said: /no server runs on .*: start it first/ });
});

t.test('figures as tables', async (t) => {
  const text = screenText(
    {
      seconds: 2,
      process: { residentBytes: 150_000_000, cores: 0.5, connections: 3, connectionsWaiting: 1 },
      requests: [
        { verb: 'GET', resource: 'pods/log', perSecond: 1_500, refusedPerSecond: 2, p50: 0.0004 },
        { verb: 'LIST', resource: 'pods', perSecond: 4, refusedPerSecond: 0, p50: 1.5, p99: 3 },
      ],
      watches: { eventsPerSecond: 12, types: [] },
      levels: [{ level: 'exempt', executing: 1, waiting: 0, refusedPerSecond: 0 }],
      types: [{ resource: 'pods', objects: 12_345 }],
      threads: [{ thread: 'main', busy: 0.25, heapBytes: 2_000_000 }],
    },
    5,
  );
  t.equal(
    text,
    [
      '1.5 k requests/s, 12 events/s, 0.50 cores, 150 MB, 3 connections, 1 of them waiting',
      '',
      'REQUESTS         /s  refused/s     p50    p99',
      'GET pods/log  1.5 k          2  0.4 ms',
      'LIST pods         4              1.5 s  3.0 s',
      '',
      'LEVELS  running  waiting  seats  refused/s',
      'exempt        1',
      '',
      'TYPES  objects  size',
      'pods    12.3 k',
      '',
      'THREADS  busy  heap',
      'main     25 %  2 MB',
      '',
    ].join('\n'),
  );
});

t.end();
