/** A part of a backup comes back on the server that runs. */
import { join } from 'node:path';
import t from 'tap';
import { configMap } from '../support/kinds.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/server-process.ts';
import { runBackup } from '../../tools/backup/backup.ts';
import { runRestore } from '../../tools/backup/restore.ts';

const SHOP = '/api/v1/namespaces/shop';
const MAPS = `${SHOP}/configmaps`;
const OTHERS = '/api/v1/namespaces/default/configmaps';

async function said(
  run: typeof runRestore,
  ...args: string[]
): Promise<{ code: number; text: string }> {
  let text = '';
  const write = (part: string): void => void (text += part);
  const code = await run(args, { write, say: (line) => write(`${line}\n`) });
  return { code, text };
}

t.test('what was deleted, and what was changed', async (t) => {
  const server = await startServer({ test: t });
  await server.post('/api/v1/namespaces', { metadata: { name: 'shop', labels: { of: 'us' } } });
  for (const name of ['kept', 'changed', 'gone']) {
    await server.post(MAPS, configMap(name, { value: 'old' }));
  }
  await server.post(OTHERS, configMap('elsewhere', { value: 'old' }));
  const file = join(temporaryFolder(), 'part.backup');
  const at = ['--data-dir', server.dataDirectory];
  t.match(await said(runBackup, '--to', file, ...at), { code: 0 });
  await server.put(`${MAPS}/changed`, configMap('changed', { value: 'new' }));
  await server.delete(`${MAPS}/gone`);
  await server.delete(`${OTHERS}/elsewhere`);
  const values = async (): Promise<object> => {
    const { json } = await server.get(MAPS);
    const all = json.items as { metadata: { name: string }; data: { value?: string } }[];
    return Object.fromEntries(all.map(({ metadata, data }) => [metadata.name, data.value]));
  };
  const part = ['--namespace', 'shop', '--type', 'configmaps', ...at];
  const first = await said(runRestore, file, ...part);
  t.equal(first.code, 0, first.text);
  t.hasStrict(await values(), { kept: 'old', changed: 'new', gone: 'old' });
  const second = await said(runRestore, file, ...part, '--replace');
  t.equal(second.code, 0, second.text);
  t.hasStrict(await values(), { kept: 'old', changed: 'old', gone: 'old' });
  t.equal((await server.get(`${OTHERS}/elsewhere`)).status, 404, 'no other namespace');
});

t.test('what is wrong is said', async (t) => {
  const folder = temporaryFolder();
  const rows: readonly (readonly [string[], RegExp])[] = [
    [['a', '--data-dir', folder, '--replace'], /give --namespace or --type/],
    [['a', '--namespace', 'shop', '--data-dir', join(folder, 'none')], /is no data folder/],
    [['--namespace', 'shop'], /give FILE/],
  ];
  for (const [args, message] of rows) {
    t.match(await said(runRestore, ...args), { code: 1, text: message });
  }
});

t.end();
