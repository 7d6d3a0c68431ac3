/** The checks of `npm run soak` find what is planted, and nothing in streams that are right. */
import t from 'tap';
import { counts, history, OBJECTS, texts, watch } from '../support/soak-history.ts';
import { Scope, WATCH_KINDS } from '../../tools/soak/scope.ts';
import { readEvent } from '../../tools/soak/stream-event.ts';
import { StreamMemo } from '../../tools/soak/stream-memo.ts';
import { WriteLog } from '../../tools/soak/write-log.ts';

for (const kind of WATCH_KINDS) {
  t.test(`a ${kind} watch that gets everything is in order`, async (t) => {
    const past = history(kind);
    const { findings, ledger, feed } = watch(past);
    const types = new Set(past.lines.map(({ type }) => type));
    t.same([...types].sort(), ['ADDED', 'DELETED', 'MODIFIED'], 'the plan makes all types');
    t.equal(ledger.isComplete(), false);
    feed(...texts(past.lines));
    t.equal(ledger.isComplete(), true);
    t.same(findings.counts, counts({}));
  });

  t.test(`a ${kind} watch: each line that is left out is a gap`, async (t) => {
    const past = history(kind);
    for (const [at, line] of past.lines.entries()) {
      const { findings, ledger, feed } = watch(past);
      feed(...texts(past.lines.toSpliced(at, 1)));
      if (!ledger.isComplete()) ledger.reportMissing();
      const [first] = findings.first;
      if (findings.count('gap') !== 1 || findings.total !== 1) t.same(findings.counts, { at });
      if (!first?.detail.includes(`${line.type} of write ${line.seq} `)) {
        t.fail(first?.detail ?? 'no detail');
      }
    }
    t.pass(`${past.lines.length} lines`);
  });

  t.test(`a ${kind} watch: each line that comes twice is a duplicate`, async (t) => {
    const past = history(kind);
    for (const [at, line] of past.lines.entries()) {
      const { findings, feed } = watch(past);
      // Right away for the one half, a little later for the other.
      feed(...texts(past.lines.toSpliced(at + (at % 2) * 3 + 1, 0, line)));
      if (findings.count('duplicate') !== 1 || findings.total !== 1) {
        t.same(findings.counts, { at });
      }
    }
    t.pass(`${past.lines.length} lines`);
  });

  t.test(`a ${kind} watch: two lines of one object in the wrong order are disorder`, async (t) => {
    const past = history(kind);
    let swaps = 0;
    for (const [at, line] of past.lines.entries()) {
      const next = past.lines.findIndex(({ slot }, index) => index > at && slot === line.slot);
      if (next < 0) continue;
      const { findings, feed } = watch(past);
      feed(...texts(past.lines.toSpliced(at, 1).toSpliced(next, 0, line)));
      swaps += 1;
      const found = findings.counts;
      if (found.disorder === 0 || found.disorder < findings.total) t.same(found, { at });
    }
    t.ok(swaps > 10, `${swaps} swaps`);
  });
}

t.test('lines of two objects of one writer in the wrong order are disorder', async (t) => {
  const past = history('all');
  let swaps = 0;
  for (const [at, line] of past.lines.entries()) {
    const next = past.lines[at + 1];
    if (next?.writer !== line.writer || next.slot === line.slot) continue;
    if (line.type === 'DELETED' || next.type === 'DELETED') continue;
    const { findings, feed } = watch(past);
    feed(...texts(past.lines.toSpliced(at, 2, next, line)));
    swaps += 1;
    if (findings.count('disorder') !== 1 || findings.total !== 1) t.same(findings.counts, { at });
  }
  // The writers take turns in the history above, so there is none unless others are left out.
  const own = past.lines.filter(({ writer, type }) => writer === 0 && type !== 'DELETED');
  const [first, second] = own.filter(({ seq }) => seq === 1);
  if (first === undefined || second === undefined) throw new Error('no two objects');
  const { findings, feed } = watch(past);
  feed(second.text, first.text);
  t.same(findings.counts, counts({ disorder: 1 }), `${swaps} other swaps`);
});

const WRONG: readonly [what: string, change: (event: any) => void, expected: RegExp][] = [
  ['another payload', ({ object }) => (object.data.payload += '!'), /payload/],
  ['no payload', ({ object }) => delete object.data, /payload/],
  ['another label', ({ object }) => (object.metadata.labels['soak-colour'] = 'c9'), /label/],
  ['another name', ({ object }) => (object.metadata.name = 'soak-11'), /name is soak-11/],
  ['another namespace', ({ object }) => (object.metadata.namespace = 'x'), /namespace is x/],
  ['another type', (event) => (event.type = 'MODIFIED'), /makes ADDED here, got MODIFIED/],
];

t.test('content that is not as written is found', async (t) => {
  const past = history('namespace');
  const [first, ...rest] = past.lines;
  for (const [what, change, expected] of WRONG) {
    const { findings, feed } = watch(past);
    const event = JSON.parse(first?.text ?? '');
    change(event);
    feed(JSON.stringify(event), ...texts(rest));
    t.same(findings.counts, counts({ wrongContent: 1 }), what);
    t.match(findings.first[0]?.detail, expected);
  }
});

t.test('an event of another namespace, or of a write not sent yet, is wrong', async (t) => {
  const past = history('all');
  const other = past.lines.find(({ slot }) => slot % 2 === 1)?.text ?? '';
  const narrow = new Scope(past.plan, 'namespace', 0);
  const inNarrow = watch({ scope: narrow, log: past.log });
  inNarrow.feed(other);
  t.same(inNarrow.findings.counts, counts({ wrongContent: 1 }));
  const early = watch({ scope: past.scope, log: new WriteLog(OBJECTS) });
  early.feed(past.lines[0]?.text ?? '');
  t.match(early.findings.first[0], { kind: 'wrongContent', detail: /not been sent/ });
});

t.test('objects of other kinds carry the payload too', async (t) => {
  for (const resource of ['secrets', 'leases'] as const) {
    const past = history('all', resource);
    const { findings, feed } = watch(past);
    feed(...texts(past.lines));
    t.same(findings.counts, counts({}));
    feed((past.lines[0]?.text ?? '').replace(/"(holderIdentity|payload)":"../, '"$1":"00'));
    t.equal(findings.count('wrongContent'), 1, resource);
  }
});

t.test('nothing is expected of an object that was lost', async (t) => {
  const past = history('all');
  const { findings, ledger, feed } = watch(past);
  past.log.abandon(0);
  feed(...texts(past.lines.filter(({ slot }) => slot !== 0)));
  t.equal(ledger.isComplete(), true);
  t.same(findings.counts, counts({}));
});

t.test('lines that a watch shares with another are read as if it were alone', async (t) => {
  const { scope, lines } = history('namespace');
  const memo = new StreamMemo(scope, 8_000);
  const cursors = [0, 0, 0];
  const offsets = [0, 3, 40];
  let hits = 0;
  const known = new Set<unknown>();
  // The second one is a little behind the first, the third far; each misses a line somewhere.
  for (let at = 0; at < lines.length + 40; at += 1) {
    for (const [number, offset] of offsets.entries()) {
      const line = lines[at - offset];
      if (line === undefined || at - offset === 100 + number) continue;
      const buffer = Buffer.from(`\r\n${line.text}\n`);
      const event = memo.read(buffer, 2, buffer.length - 1, cursors[number] ?? 0, at * 10);
      cursors[number] = memo.cursor;
      if (known.has(event)) hits += 1;
      known.add(event);
      const alone = readEvent(line.text, scope);
      if (JSON.stringify(event) !== JSON.stringify(alone)) t.same(event, alone, line.text);
    }
  }
  t.ok(hits > lines.length * 0.8, `${hits} of ${lines.length * 2} were known`);
  const odd = Buffer.from(
    (lines.at(-1)?.text ?? '').replace('resourceVersion":"v', 'resourceVersion":"w'),
  );
  const event = memo.read(odd, 0, odd.length, (cursors[0] ?? 0) - 1, 0);
  t.match(event, { kind: 'change', version: /^w/ }, 'other bytes at that place are parsed');
});

t.test('what is no event of this run is told apart', async (t) => {
  const { scope } = history('all');
  const metadata = { name: 'x', resourceVersion: '9' };
  const read = (event: unknown) => readEvent(JSON.stringify(event), scope);
  t.match(read({ type: 'ADDED', object: { metadata } }), { kind: 'foreign', version: '9' });
  t.match(read({ type: 'BOOKMARK', object: { metadata } }), { kind: 'bookmark', version: '9' });
  t.match(read({ type: 'ERROR', object: { code: 410, reason: 'Expired', message: 'old' } }), {
    kind: 'error',
    code: 410,
    message: 'Expired: old',
  });
  for (const event of [{}, 3, null, { type: 'ADDED' }, { type: 'NEW', object: { metadata } }]) {
    t.equal(read(event).kind, 'broken');
  }
  t.equal(read({ type: 'ADDED', object: { metadata: {} } }).kind, 'broken');
  t.equal(readEvent('{"type":', scope).kind, 'broken');
});
