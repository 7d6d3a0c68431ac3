/** Lists in `npm run soak`: what they must contain, and where a watch goes on after one. */
import t from 'tap';
import { counts, history, texts, watch, WRITERS } from '../support/soak-history.ts';
import type { History } from '../support/soak-history.ts';
import { Counters } from '../../tools/soak/counters.ts';
import { Findings } from '../../tools/soak/findings.ts';
import { Gate } from '../../tools/soak/gate.ts';
import type { ListState } from '../../tools/soak/list-state.ts';
import type { ApiObject } from '../../tools/soak/plan.ts';
import { WATCH_KINDS } from '../../tools/soak/scope.ts';
import { WatchGroup } from '../../tools/soak/watch-group.ts';

/** Makes a list at this time: by index the listed write, and what may be on its way. */
function listOf({ scope, log }: History, change: Partial<ListState> = {}): ListState {
  const indexes = Array.from({ length: scope.count }, (_, index) => index);
  const stored = indexes.map((index) => log.stored[scope.slotAt(index)] ?? 0);
  const listed = stored.map((seq, index) => (scope.matches(scope.slotAt(index), seq) ? seq : 0));
  return {
    version: 'v1',
    seqs: Uint32Array.from(listed),
    lows: Uint32Array.from(stored),
    highs: Uint32Array.from(stored),
    writerSeqs: new Float64Array(WRITERS),
    ...change,
  };
}

t.test('what came before a list is not missing after it', async (t) => {
  for (const kind of WATCH_KINDS) {
    const past = history(kind);
    const { findings, ledger, feed } = watch(past);
    feed(...texts(past.lines.slice(0, 5)));
    ledger.adopt(listOf(past));
    t.equal(ledger.isComplete(), true);
    feed(past.lines.at(-1)?.text ?? '');
    t.same(findings.counts, counts({ duplicate: 1 }), `${kind}: and the list has its last event`);
  }
});

t.test('a list that is older than what the watch has seen is stale', async (t) => {
  const past = history('namespace');
  const { findings, ledger, feed } = watch(past);
  feed(...texts(past.lines));
  const full = listOf(past);
  const at = full.seqs.findIndex((seq) => seq > 2);
  const seqs = full.seqs.with(at, (full.seqs[at] ?? 0) - 2);
  ledger.adopt(listOf(past, { seqs }));
  t.same(findings.counts, counts({ staleList: 1 }));
});

t.test('a list that lacks an object that matches is stale', async (t) => {
  const past = history('namespace');
  const { findings, ledger } = watch(past);
  const full = listOf(past);
  const at = full.seqs.findIndex((seq) => seq > 0);
  ledger.adopt(listOf(past, { seqs: full.seqs.with(at, 0) }));
  t.same(findings.counts, counts({ staleList: 1 }));
});

t.test('writes that are on their way while a list is made may be before or after it', async (t) => {
  const past = history('namespace');
  const { scope, lines, log } = past;
  // The list is asked for before the writes of all lines, and answered after them.
  const beforeAll = listOf(past, {
    seqs: new Uint32Array(scope.count),
    lows: new Uint32Array(scope.count),
  });
  const slots = Array.from({ length: scope.count }, (_, index) => scope.slotAt(index));
  const lastOutside = slots.map((slot) => scope.lastOutside(slot, 0, log.stored[slot] ?? 0));
  const afterList = lines.filter(({ slot, seq }) => {
    return seq > (lastOutside[scope.indexOf(slot)] ?? 0);
  });
  for (const [what, sent, gaps] of [
    ['all of them', lines, 0],
    ['those since the object matches', afterList, 0],
  ] as const) {
    const { findings, ledger, feed } = watch(past);
    ledger.adopt(beforeAll);
    feed(...texts(sent));
    t.same(findings.counts, counts({ gap: gaps }), what);
    t.equal(ledger.isComplete(), true, what);
  }
  const { findings, ledger, feed } = watch(past);
  ledger.adopt(beforeAll);
  const lost = afterList.findIndex(({ type }) => type === 'MODIFIED');
  t.ok(lost >= 0);
  feed(...texts(afterList.toSpliced(lost, 1)));
  if (!ledger.isComplete()) ledger.reportMissing();
  t.same(findings.counts, counts({ gap: 1 }), 'but nothing may be missing after the first');
});

/** A group whose lists get these answers, one after the other. */
function groupOf(past: History, ...answers: readonly [status: number, body: unknown][]) {
  const findings = new Findings(() => 1);
  const counters = new Counters();
  const paths: string[] = [];
  const request = async (_method: string, path: string) => {
    paths.push(path);
    const [status = 500, body] = answers[paths.length - 1] ?? [];
    return Promise.resolve({ status, text: JSON.stringify(body), retryAfterMs: 0 });
  };
  const group = new WatchGroup(past.scope, 0, {
    client: { request },
    log: past.log,
    findings,
    counters,
    listGate: new Gate(1),
    writers: WRITERS,
  });
  return { group, findings, counters, paths };
}

/** The objects that exist after the last write. */
function itemsOf({ plan, scope, log }: History): ApiObject[] {
  const slots = Array.from({ length: scope.count }, (_, index) => scope.slotAt(index));
  return slots.flatMap((slot) => {
    const seq = log.stored[slot] ?? 0;
    if (!scope.matches(slot, seq)) return [];
    return [JSON.parse(plan.body({ slot, seq, writer: 0, writerSeq: seq }, 'v')) as ApiObject];
  });
}

t.test('a list is read in pages, which watches that wait for it share', async (t) => {
  const past = history('namespace');
  const items = itemsOf(past);
  const first = { metadata: { resourceVersion: '7', continue: 'a/b' }, items: items.slice(0, 2) };
  const last = { metadata: { resourceVersion: '7' }, items: items.slice(2) };
  const right = groupOf(past, [200, first], [200, last]);
  const [list, same] = await Promise.all([right.group.list(), right.group.list()]);
  t.equal(list, same);
  t.equal(list.version, '7');
  t.same(list.seqs, listOf(past).seqs);
  t.match(right.paths[1], /&limit=\d+&continue=a%2Fb$/);
  t.same(right.findings.counts, counts({}));
  const other = { ...last, metadata: { resourceVersion: '8' } };
  const changed = groupOf(past, [200, first], [200, other]);
  await changed.group.list();
  t.same(changed.findings.counts, counts({ staleList: 1 }), 'pages of two versions');
  const twice = groupOf(past, [200, { ...last, items: [...items, ...items.slice(0, 1)] }]);
  await twice.group.list();
  t.same(twice.findings.counts, counts({ duplicate: 1 }), 'an object twice');
});

t.test('a list whose version is gone between two pages begins again', async (t) => {
  const past = history('namespace');
  const first = { metadata: { resourceVersion: '7', continue: 'a' }, items: [] };
  const whole = { metadata: { resourceVersion: '9' }, items: itemsOf(past) };
  const { group, counters, findings } = groupOf(past, [200, first], [410, {}], [200, whole]);
  t.equal((await group.list()).version, '9');
  t.equal(counters.gone, 1);
  t.same(findings.counts, counts({}));
  const refused = groupOf(past, [403, { message: 'no' }]);
  await t.rejects(refused.group.list(), { status: 403, message: /answered 403: .*no/ });
});
