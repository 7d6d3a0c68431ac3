/** Bookmarks: where a client may resume, also when nothing happens to it. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { horizonAbove } from '../support/history-window.ts';
import { CONFIG_MAPS, configMap } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = await sharedServer();

async function currentVersion(path = CONFIG_MAPS): Promise<string> {
  return (await server.get(`${path}?limit=1`)).json.metadata.resourceVersion;
}

t.test('a bookmark at the end, only for those who asked', async (t) => {
  const from = await currentVersion();
  const query = `?watch=true&timeoutSeconds=1&resourceVersion=${from}`;
  const rows: [parameter: string, bookmarks: number][] = [
    ['&allowWatchBookmarks=true', 1],
    ['&allowWatchBookmarks=1', 1],
    ['&allowWatchBookmarks', 1],
    ['&allowWatchBookmarks=false', 0],
    ['&allowWatchBookmarks=0', 0],
    ['', 0],
  ];
  const watches = await Promise.all(
    rows.map(async ([parameter]) => server.watch(`${CONFIG_MAPS}${query}${parameter}`)),
  );
  for (const [index, watch] of watches.entries()) {
    const [parameter, bookmarks] = rows[index]!;
    await watch.end();
    t.equal(watch.rest, '', 'the stream ends cleanly');
    t.equal(watch.events.length, bookmarks, parameter);
    for (const { raw, object } of watch.events) {
      const version = Number(object.metadata.resourceVersion);
      t.ok(version >= Number(from), 'others may have written meanwhile');
      t.equal(
        raw,
        '{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1",' +
          `"metadata":{"resourceVersion":"${version}","creationTimestamp":null}}}`,
      );
    }
  }
});

t.test('a bookmark has no empty spec or status', async (t) => {
  for (const [path, kind, apiVersion] of [
    ['/api/v1/persistentvolumes', 'PersistentVolume', 'v1'],
    ['/api/v1/nodes', 'Node', 'v1'],
    ['/apis/apps/v1/controllerrevisions', 'ControllerRevision', 'apps/v1'],
    ['/apis/coordination.cluster.io/v1/leases', 'Lease', 'coordination.cluster.io/v1'],
  ] as const) {
    const from = await currentVersion(path);
    const query = `?watch=true&resourceVersion=${from}&timeoutSeconds=1&allowWatchBookmarks=true`;
    const watch = await server.watch(`${path}${query}`);
    t.equal(
      (await watch.next())?.raw,
      `{"type":"BOOKMARK","object":{"kind":"${kind}","apiVersion":"${apiVersion}",` +
        `"metadata":{"resourceVersion":"${from}","creationTimestamp":null}}}`,
    );
    watch.close();
  }
});

t.test('a quiet watch resumes from its bookmark when its last event is forgotten', async (t) => {
  const own = await startServer({ test: t, args: ['--watch-history', '1s'] });
  const quiet = `${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name%3Dquiet`;
  await own.post(CONFIG_MAPS, configMap('busy'));
  let round = 0;
  const write = async (): Promise<string> => {
    round += 1;
    const busy = configMap('busy', { round: `${round}` });
    return (await own.put(`${CONFIG_MAPS}/busy`, busy)).json.metadata.resourceVersion;
  };
  // Nothing is written after the bookmark, so that its version is not forgotten.
  const quietWatch = async () => {
    for (;;) {
      const from = await write();
      const query = `&timeoutSeconds=5&allowWatchBookmarks=true&resourceVersion=${from}`;
      const watch = await own.watch(`${quiet}${query}`);
      let last = from;
      while ((await horizonAbove(own, Number(from))) === undefined && watch.events.length === 0) {
        last = await write();
        await sleep(50);
      }
      const bookmark = await watch.next();
      watch.close();
      const version = bookmark?.object.metadata.resourceVersion;
      // On a slow machine it comes before the last write.
      if (Number(version) >= Number(last)) return { from, bookmark, version };
    }
  };
  const { from, bookmark, version } = await quietWatch();
  t.equal(bookmark?.type, 'BOOKMARK');
  t.ok(Number(version) > Number(from), 'it follows what others write');
  const old = await own.watch(`${quiet}&resourceVersion=${from}`);
  t.equal(old.status, 410, 'where it began is forgotten');
  old.close();
  const resumed = await own.watch(`${quiet}&resourceVersion=${version}`);
  t.equal(resumed.status, 200);
  const created = await own.post(CONFIG_MAPS, configMap('quiet'));
  t.equal((await resumed.next())?.raw, `{"type":"ADDED","object":${created.text.trimEnd()}}`);
  resumed.close();
});

t.test('while others write, no bookmark contradicts an event', async (t) => {
  let writing = true;
  const acknowledged: number[] = [];
  const writers = [0, 1, 2, 3].map(async (writer) => {
    for (let round = 0; writing; round += 1) {
      const { json } = await server.post(CONFIG_MAPS, configMap(`b-${writer}-${round}`));
      acknowledged.push(Number(json.metadata.resourceVersion));
    }
  });
  const from = await currentVersion();
  const query = `?watch=true&resourceVersion=${from}&allowWatchBookmarks=true&timeoutSeconds=`;
  const watches = await Promise.all(
    Array.from({ length: 20 }, async () => {
      await sleep(Math.random() * 300);
      return server.watch(`${CONFIG_MAPS}${query}1`);
    }),
  );
  for (const watch of watches) await watch.end();
  writing = false;
  await Promise.all(writers);
  for (const { events } of watches) {
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    const at = events.findIndex(({ type }) => type === 'BOOKMARK');
    t.ok(at >= 0, `a bookmark as number ${at} of ${events.length}`);
    const version = versions[at]!;
    t.ok(versions.slice(0, at).every((one) => one <= version));
    t.ok(versions.slice(at + 1).every((one) => one > version));
    const expected = acknowledged.filter((one) => one > Number(from) && one <= version);
    t.equal(at, expected.length, 'everything up to it came before it');
  }
});
