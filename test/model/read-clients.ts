/** Clients that get, list and page, and note what they were shown. */
import { kindOf } from './custom-kinds.ts';
import { objectPath } from '../support/kinds.ts';
import type { TestObject } from '../support/kinds.ts';
import type { Random } from '../support/random.ts';
import { NAMES, NAMESPACES, pause, randomScope, repeat, TYPES } from './live-run.ts';
import type { LiveRun } from './live-run.ts';
import { observe } from './records.ts';
import type { ListRecord, Page, Scope } from './records.ts';

/** The options of a list, beside its scope. */
export interface ListRequest {
  readonly type: string;
  readonly scope: Scope;
  readonly asked: string;
  readonly match: ListRecord['match'];
  readonly limit: number;
}

export async function get(
  run: LiveRun,
  type: string,
  namespace: string,
  name: string,
  asked: string,
): Promise<void> {
  const query = asked === '' ? '' : `?resourceVersion=${asked}`;
  const start = run.now();
  const path = `${objectPath(kindOf(type), name, namespace)}${query}`;
  const answer = await run.ask('GET', path);
  const [end, code] = [run.now(), answer?.status ?? 0];
  const key = `${namespace}/${name}`;
  const shown = answer?.json?.metadata?.name === name ? { answer: observe(answer.json) } : {};
  run.record({ record: 'get', type, key, asked, start, end, code, ...shown });
}

export async function reader(run: LiveRun, random: Random): Promise<void> {
  await repeat(run, async () => {
    const type = random.pick(TYPES);
    const [what, how] = [random.fraction(), random.fraction()];
    const version = String(run.oldVersion(random));
    const scope = randomScope(random, type);
    const [namespace, name] = [random.pick(NAMESPACES), random.pick(NAMES)];
    if (what < 0.5) {
      await get(run, type, namespace, name, how < 0.6 ? '' : how < 0.8 ? '0' : version);
    } else if (how < 0.5) await list(run, { type, scope, asked: '', match: '', limit: 0 });
    else if (how < 0.6) await list(run, { type, scope, asked: '0', match: '', limit: 0 });
    else {
      const match = how < 0.7 ? '' : how < 0.8 ? 'NotOlderThan' : 'Exact';
      await list(run, { type, scope, asked: version, match, limit: 0 });
    }
    await pause(run, random.below(15));
  });
}

/** Reads lists page by page, with writes and restarts between the pages. */
export async function pager(run: LiveRun, random: Random): Promise<void> {
  await repeat(run, async () => {
    const type = random.pick(TYPES);
    const scope = random.fraction() < 0.6 ? { namespace: '' } : randomScope(random, type);
    const how = random.fraction();
    const version = String(run.oldVersion(random));
    const asked = how < 0.6 ? '' : how < 0.7 ? '0' : version;
    const match = how < 0.8 ? '' : how < 0.9 ? 'NotOlderThan' : 'Exact';
    const limit = 1 + random.below(6);
    const slowness = random.pick([3, 30, 250]);
    await list(run, { type, scope, asked, match, limit }, () => random.below(slowness));
  });
}

/** One list with all its pages, goes on over restarts, and behind an expired token. */
export async function list(
  run: LiveRun,
  request: ListRequest,
  delay: () => number = () => 0,
): Promise<ListRecord | undefined> {
  let asked: Omit<ListRecord, 'pages' | 'end' | 'code'> | undefined = {
    record: 'list',
    ...request,
    after: '',
    start: run.now(),
  };
  let token = '';
  let last: ListRecord | undefined;
  while (asked !== undefined) {
    const { record, fresh } = await readPages(run, asked, token, delay);
    last = record;
    run.record(record);
    const after: string = record.pages.at(-1)?.items.at(-1)?.key ?? record.after;
    const goesOn = fresh !== '' && record.refusal?.code === 410;
    const anew = { ...request, asked: '', match: '', after, start: run.now() } as const;
    asked = goesOn ? { record: 'list', ...anew } : undefined;
    token = fresh;
  }
  return last;
}

type Begun = Omit<ListRecord, 'pages' | 'end' | 'code'>;

/** Reads on until the last page, a refusal, or the end of the run. */
async function readPages(
  run: LiveRun,
  begun: Begun,
  firstToken: string,
  delay: () => number,
): Promise<{ record: ListRecord; fresh: string }> {
  const { type, scope, asked, match, limit } = begun;
  const pages: Page[] = [];
  let [token, end] = [firstToken, begun.start];
  for (;;) {
    const isFirst = token === '';
    const answer = await run.ask(
      'GET',
      run.scopePath(type, scope, [
        limit > 0 ? `limit=${limit}` : '',
        isFirst ? '' : `continue=${encodeURIComponent(token)}`,
        isFirst && asked !== '' ? `resourceVersion=${asked}` : '',
        isFirst && match !== '' ? `resourceVersionMatch=${match}` : '',
      ]),
    );
    const now = run.now();
    if (pages.length === 0) end = now;
    const code = answer?.status ?? 0;
    const record: ListRecord = { ...begun, pages, end, code };
    if (answer === undefined && pages.length > 0) {
      // Reads the same page again once the server is back.
      await Promise.race([run.whenUp(), run.finishing.promise]);
      if (run.isFinishing) return { record, fresh: '' };
      continue;
    }
    if (answer === undefined) return { record, fresh: '' };
    if (code !== 200 || answer.json === undefined) {
      const fresh: string = answer.json?.metadata?.continue ?? '';
      const refusal = { code, end: now, hasToken: fresh !== '' };
      return { record: { ...record, refusal }, fresh };
    }
    const page = pageOf(answer.json);
    pages.push(page);
    run.saw(page.version, false);
    token = answer.json.metadata.continue ?? '';
    if (token === '' || run.isFinishing) return { record, fresh: '' };
    await pause(run, delay());
    await Promise.race([run.whenUp(), run.finishing.promise]);
    if (run.isFinishing) return { record, fresh: '' };
  }
}

function pageOf({ metadata, items }: TestObject): Page {
  const remaining = metadata.remainingItemCount;
  return {
    version: Number(metadata.resourceVersion),
    items: items.map(observe),
    more: (metadata.continue ?? '') !== '',
    ...(remaining === undefined ? {} : { remaining }),
  };
}
