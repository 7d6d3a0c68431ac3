/**
 * The model on histories made by hand: what is right passes, and each rule finds what breaks it.
 */
import t from 'tap';
import type { Test } from 'tap';
import { checkHistory } from './check-history.ts';
import type { HistoryRecord, ListRecord, Observed, WatchRecord, WriteRecord } from './records.ts';
import * as told from './story.ts';
import { A100, A2, A3, A5, B101, B4, B6, EVENTS, story } from './story.ts';

const WINDOW_MS = 10_000;
const APP_X = { namespace: '', app: { test: 'equals', values: ['x'] } } as const;
const { bookmark, event, get, governed, list, refusal, watch, wholeList, write } = told;

type Wrong = readonly [rule: string, what: string, records: readonly HistoryRecord[]];

/** The story with one of its records replaced. */
function instead(index: number, replacement: Partial<HistoryRecord>): HistoryRecord[] {
  const records = story();
  records[index] = { ...records[index], ...replacement } as HistoryRecord;
  return records;
}

/** The story with what the scribe was sent, and so the history, changed. */
function scribed(...events: (typeof EVENTS)[number][]): HistoryRecord[] {
  return instead(1, { events } as Partial<WatchRecord>);
}

function pages(...contents: (readonly [version: number, items: Observed[], remaining?: number])[]) {
  return contents.map(([version, items, remaining], at) => ({
    version,
    items,
    more: at < contents.length - 1,
    ...(remaining === undefined ? {} : { remaining }),
  }));
}

const first = { verb: 'create', stamp: 'unknown', code: 0, outcome: 'unknown' } as const;

const RIGHT: readonly [what: string, records: readonly HistoryRecord[]][] = [
  ['the story itself', []],
  ['a write that was cut off and is not there', [write(70, 0, { ...first, key: 'n1/c' })]],
  ['gets of the newest', [get(46, A3), get(56, undefined), get(95, A100)]],
  ['a get while it changes shows either', [get(28, A2), get(28, A3)]],
  ['a get of any version, and of one not older', [get(96, A2, '0'), get(96, A3, '3')]],
  ['a list', [wholeList(46, 4, [A3, B4])]],
  ['a list at the version of a change elsewhere', [wholeList(95, 150, [A100])]],
  ['a list at an old version', [list(96, { asked: '3', match: 'Exact', pages: pages([3, [A3]]) })]],
  ['pages', [list(46, { limit: 1, pages: pages([4, [A3], 1], [4, [B4]]) })]],
  [
    'pages that go on behind an expired token',
    [list(95, { limit: 1, after: 'n1/0', pages: pages([101, [A100]]) })],
  ],
  [
    'refusals with a reason',
    [
      write(41, 409, { verb: 'create', key: 'n1/a', stamp: 'r1' }),
      write(41, 409, { key: 'n1/a', expects: 2, stamp: 'r2' }),
      write(56, 404, { key: 'n1/a', stamp: 'r3' }),
    ],
  ],
  ['what webhooks and a quota refuse', [refusal('s46', 'webhook'), refusal('s47', 'quota')]],
  ['a watch that goes on', [watch(35, '3', EVENTS.slice(2, 5)), watch(80, '6', EVENTS.slice(5))]],
  [
    'a watch with a selector',
    [
      watch(12, '1', [
        event('ADDED', A2),
        event('DELETED', A2, 3),
        event('ADDED', B4),
        event('MODIFIED', B6),
        event('ADDED', A100),
        event('DELETED', B101),
      ]),
    ].map((one) => ({ ...one, scope: APP_X, settled: true })),
  ],
  ['a watch that begins with the state', [watch(46, '', [event('ADDED', A3), event('ADDED', B4)])]],
  ['a state that was cut off', [watch(46, '', [event('ADDED', B4)])]],
  [
    'a streamed list and a closing bookmark',
    [
      watch(
        46,
        '',
        [
          { ...event('ADDED', A3), time: 48 },
          { ...event('ADDED', B4), time: 48 },
          bookmark(4, 48, true),
          event('DELETED', A5),
          event('MODIFIED', B6),
          bookmark(6, 67),
        ],
        { streamsList: true, bookmarks: true },
      ),
    ],
  ],
  [
    'what is gone after the window',
    [
      watch(20_000, '1', [], { code: 410 }),
      list(20_000, { asked: '2', code: 410, refusal: { code: 410, end: 20_005, hasToken: false } }),
    ],
  ],
  [
    'a deletecollection',
    [
      {
        record: 'deletecollection',
        type: told.TYPE,
        scope: APP_X,
        outcome: 'acknowledged',
      } as const,
    ].map((one) => ({ ...one, start: 48, end: 68, code: 200 })),
  ],
];

t.test('what is right passes', async (t) => {
  t.same(checkHistory(governed(['s47', 's48']), WINDOW_MS).violations, [], 'what webhooks allow');
  for (const [what, records] of RIGHT) {
    const { violations, unchecked } = checkHistory([...story(), ...records], WINDOW_MS);
    t.same(violations, [], what);
    t.equal(unchecked, 0, `${what}: all of it is checked`);
  }
});

function finds(t: Test, cases: readonly Wrong[]): void {
  for (const [rule, what, records] of cases) {
    const isWhole = records[0]?.record === 'list' && records[0].start === 10;
    const { violations } = checkHistory(isWhole ? records : [...story(), ...records], WINDOW_MS);
    const rules = violations.map((violation) => violation.rule);
    t.ok(rules.includes(rule), `${rule}: ${what} (${[...new Set(rules)].join(', ')})`);
  }
}

t.test('wrong writes are found', async (t) => {
  const late = { ...A100, version: 7, stamp: 's7', digest: 's7' };
  finds(t, [
    ['version-reused', 'another content', [get(95, { ...A100, digest: 'other' })]],
    ['version-reused', 'another object', [get(95, { ...A100, key: 'n1/c' })]],
    ['version-reused', 'another type', [{ ...get(95, A100), type: 'Lease' }]],
    ['version-order', 'a write below what a list showed', [wholeList(73, 100, [B6])]],
    ['version-order', 'a deletion below what a list showed', [wholeList(40, 5, [A3, B4])]],
    ['version-order', 'a list above later writes', [wholeList(61, 103, [B6])]],
    [
      'version-order',
      'a write below an event that came before',
      [watch(12, '1', [...EVENTS.slice(0, 5), { ...event('ADDED', A100), time: 78 }])],
    ],
    ['written-twice', 'again', scribed(...EVENTS, event('MODIFIED', { ...A100, version: 102 }))],
    ['written-by-nobody', 'unknown', scribed(...EVENTS, event('ADDED', { ...late, version: 102 }))],
    ['refused-but-written', 'a refused create', instead(9, { outcome: 'refused', code: 409 })],
    ['refused-but-written', 'what a webhook denies', governed(['s46'])],
    ['content', 'what no webhook was asked about', governed(['s47'], '')],
    ['quota-exceeded', 'one too many', governed(['s47', 's48', 's49', 's50', 's51'])],
    ['refusal', 'by a webhook that allows it', [refusal('s47', 'webhook')]],
    ['refusal', 'by nobody who may', [refusal('s46', undefined)]],
    ['precondition', 'a create of what is there', instead(3, { verb: 'create', code: 201 })],
    ['precondition', 'an update of what has changed', instead(3, { expects: 1 })],
    ['precondition', 'an update of what is not there', instead(2, { verb: 'update', code: 200 })],
    ['deleted-by-nobody', 'nobody asked', story().toSpliced(5, 1)],
    ['deleted-by-nobody', 'another was to be deleted', instead(5, { endedUid: 'uid-other' })],
    ['deleted-by-nobody', 'it is held and nobody released it', story().toSpliced(10, 1)],
    ['deleted-by-nobody', 'the update leaves it held', instead(10, { held: true })],
    ['deleted-by-nobody', 'another was released', instead(10, { endedUid: 'uid-other' })],
    [
      'watch-content',
      'a deletion shows the update that released it',
      scribed(...EVENTS.slice(0, 6), event('DELETED', { ...B101, stamp: 's101', digest: 's101' })),
    ],
    [
      'deleted-twice',
      'what is gone',
      scribed(...EVENTS, event('DELETED', { ...B101, version: 103 })),
    ],
    ['deleted-twice', 'two are told so', [write(52, 200, { verb: 'delete', endedUid: 'uid-a' })]],
    [
      'watch-content',
      'a deletion shows another state',
      scribed(...EVENTS.slice(0, 3), event('DELETED', { ...A5, digest: 's2' }), ...EVENTS.slice(4)),
    ],
    ['acknowledged-lost', 'a write', scribed(...EVENTS.slice(0, 5), ...EVENTS.slice(6))],
    ['acknowledged-lost', 'a deletion', scribed(...EVENTS.slice(0, 3), ...EVENTS.slice(4))],
    ['refusal', '409 for what is not there', [write(57, 409, { verb: 'create', stamp: 'r' })]],
    ['refusal', '404 for what is there', [write(26, 404, { stamp: 'r' })]],
    ['refusal', '409 for the version that is there', [write(46, 409, { expects: 3, stamp: 'r' })]],
    ['unexpected-answer', 'a failure', [write(46, 500, { outcome: 'unknown', stamp: 'r' })]],
    [
      'collection-survivor',
      'one is left',
      [
        {
          record: 'deletecollection',
          type: told.TYPE,
          scope: APP_X,
          start: 46,
          end: 48,
          code: 200,
          outcome: 'acknowledged',
        },
      ],
    ],
  ]);
});

/** The story with its second write, the update of a, another one, and the object what it made. */
function patched(asked: Partial<WriteRecord>, after: Partial<Observed>): HistoryRecord[] {
  const shown = { ...A3, ...after };
  const records = scribed(...EVENTS.with(1, event('MODIFIED', shown)));
  return records.with(3, { ...records[3], ...asked, answer: shown } as WriteRecord);
}

const ONE = ['Apply:one'];
const APPLY = { verb: 'apply', expects: 0, held: undefined, owner: 'Apply:one' } as const;
const APPLIED = { stampOwners: ONE, appOwners: ONE };

const PATCHED: readonly (readonly [what: string, records: readonly HistoryRecord[]])[] = [
  ['a merge patch', patched({ verb: 'merge', note: ['a', 's3'] }, { notes: { a: 's3' } })],
  ['one that removes nothing', patched({ verb: 'merge', note: ['a', null] }, {})],
  ['a JSON patch', patched({ verb: 'json', held: undefined }, {})],
  ['a forced apply', patched({ ...APPLY, force: true }, APPLIED)],
  [
    'an apply of the label that is there',
    patched(
      { ...APPLY, force: true, app: 'x' },
      { app: 'x', stampOwners: ONE, appOwners: [...ONE, 'Update:me'] },
    ),
  ],
  ['a conflict', [...story(), write(41, 409, { ...APPLY, stamp: 'r' })]],
  ['a failed test', [...story(), write(41, 422, { verb: 'json', expects: 2, stamp: 'r' })]],
  ['nothing to patch', [...story(), write(56, 404, { verb: 'merge', stamp: 'r' })]],
];

t.test('right patches pass', async (t) => {
  for (const [what, records] of PATCHED) {
    t.same(checkHistory(records, WINDOW_MS).violations, [], what);
  }
});

t.test('wrong patches are found', async (t) => {
  const cases: readonly Wrong[] = [
    ['content', 'a note is not there', patched({ verb: 'merge', note: ['a', 's3'] }, {})],
    ['content', 'a note of nobody', patched({ verb: 'merge' }, { notes: { a: 's1' } })],
    ['content', 'another label', patched({ verb: 'merge', app: 'z' }, {})],
    ['content', 'a finalizer', patched({ verb: 'json', held: undefined }, { held: true })],
    ['content', 'an old owner', patched({ ...APPLY, force: true }, { stampOwners: ONE })],
    [
      'content',
      'two owners of what is new',
      patched({ ...APPLY, force: true }, { ...APPLIED, stampOwners: [...ONE, 'Update:me'] }),
    ],
    ['conflict-missed', 'an apply without force', patched(APPLY, APPLIED)],
    ['precondition', 'a patch of nothing', instead(2, { verb: 'merge', code: 200 })],
    ['precondition', 'a patch of another version', patched({ verb: 'json', expects: 1 }, {})],
    [
      'deleted-by-nobody',
      'a patch releases nothing',
      instead(10, { verb: 'json', held: undefined }),
    ],
  ];
  for (const [rule, what, records] of cases) {
    const rules = checkHistory(records, WINDOW_MS).violations.map((violation) => violation.rule);
    t.ok(rules.includes(rule), `${rule}: ${what} (${[...new Set(rules)].join(', ')})`);
  }
  const refused = { stamp: 'r' };
  finds(t, [
    ['refusal', 'a conflict with oneself', [write(46, 409, { verb: 'apply', ...refused })]],
    ['refusal', 'a forced conflict', [write(46, 409, { ...APPLY, force: true, ...refused })]],
    ['refusal', '404 for an apply', [write(57, 404, { ...APPLY, ...refused })]],
    ['refusal', 'a test that holds', [write(46, 422, { verb: 'json', expects: 3, ...refused })]],
    ['refusal', 'no test at all', [write(46, 422, { verb: 'json', ...refused })]],
  ]);
});

t.test('wrong gets and lists are found', async (t) => {
  const refusal = (code: number, hasToken = false) => ({ code, end: 100, hasToken });
  const paged = (more: Partial<ListRecord>) => [list(46, { limit: 1, ...more })];
  finds(t, [
    ['get-state', 'an old state', [get(46, A2)]],
    ['get-state', 'nothing where something is', [get(26, undefined)]],
    ['get-state', 'older than asked for', [get(46, A2, '3')]],
    ['list-state', 'an object is missing', [wholeList(46, 4, [A3])]],
    ['list-state', 'an object is old', [wholeList(46, 4, [A2, B4])]],
    ['list-state', 'an object is not in it yet', [wholeList(36, 3, [A3, B4])]],
    ['list-state', 'the order', [wholeList(46, 4, [B4, A3])]],
    ['list-state', 'outside of the selector', [{ ...wholeList(46, 4, [A3, B4]), scope: APP_X }]],
    ['list-state', 'the second page is live', paged({ pages: pages([4, [A3], 1], [4, [B6]]) })],
    ['list-state', 'the last page is missing', paged({ pages: pages([4, [A3]]) })],
    ['page-version', 'pages of two versions', paged({ pages: pages([4, [A3], 1], [5, [B4]]) })],
    ['page-size', 'too many items', paged({ pages: pages([4, [A3, B4]]) })],
    ['remaining-count', 'a wrong count', paged({ pages: pages([4, [A3], 2], [4, [B4]]) })],
    ['remaining-count', 'no count', paged({ pages: pages([4, [A3]], [4, [B4]]) })],
    ['list-stale', 'older than what was seen', [wholeList(46, 3, [A3])]],
    ['list-stale', 'older than asked for', [{ ...wholeList(46, 3, [A3]), asked: '4' }]],
    ['list-version', 'not Exact', [{ ...wholeList(46, 4, [A3, B4]), asked: '3', match: 'Exact' }]],
    ['list-version', 'not exact in pages', paged({ asked: '3', pages: pages([4, [A3]]) })],
    ['expired-early', 'an old version', [list(95, { asked: '3', refusal: refusal(410) })]],
    ['expired-early', 'a token', paged({ pages: pages([4, [A3]]), refusal: refusal(410, true) })],
    ['expired-token', 'no new one', paged({ pages: pages([4, [A3]]), refusal: refusal(410) })],
    ['too-large', 'a version that was seen', [list(95, { asked: '6', refusal: refusal(504) })]],
    ['unexpected-answer', 'a failure', [list(95, { refusal: refusal(500) })]],
  ]);
});

t.test('wrong watches are found', async (t) => {
  const [b4, a5, b6] = [event('ADDED', B4), event('DELETED', A5), event('MODIFIED', B6)];
  const state = [event('ADDED', A3), event('ADDED', B4)];
  const onX = (...events: (typeof EVENTS)[number][]) => [
    { ...watch(12, '1', events), scope: APP_X },
  ];
  finds(t, [
    ['watch-missed', 'one in the middle', [watch(35, '3', [b4, b6])]],
    ['watch-missed', 'the first', [watch(35, '3', [a5, b6])]],
    ['watch-missed', 'the last', [watch(35, '3', EVENTS.slice(2, 6), { settled: true })]],
    ['watch-missed', 'one behind the state', [watch(46, '', [...state, b6])]],
    ['watch-extra', 'before its start', [watch(35, '3', EVENTS.slice(1, 5))]],
    [
      'watch-extra',
      'outside of the selector',
      onX(event('ADDED', A2), event('DELETED', A2, 3), event('DELETED', A5)),
    ],
    [
      'watch-extra',
      'outside of the namespace',
      [{ ...watch(35, '3', [b4]), scope: { namespace: 'n2' } }],
    ],
    ['watch-order', 'twice', [watch(35, '3', [b4, a5, a5])]],
    ['watch-order', 'disorder', [watch(35, '3', [a5, b4])]],
    ['watch-type', 'ADDED twice', [watch(25, '2', [event('ADDED', A3)])]],
    ['watch-type', 'it only left the selector', onX(event('ADDED', A2), event('MODIFIED', A2, 3))],
    ['watch-content', 'leaving shows the new state', onX(event('ADDED', A2), event('DELETED', A3))],
    ['bookmark', 'before what it speaks of', [watch(35, '3', [b4, bookmark(5, 57), a5])]],
    ['watch-order', 'below the bookmark', [watch(35, '3', [bookmark(4, 38), b4])]],
    ['watch-initial', 'an old state', [watch(46, '', [event('ADDED', A2), event('ADDED', B4)])]],
    [
      'watch-initial',
      'older than asked for',
      [watch(46, '4', [event('ADDED', A3), a5], { streamsList: true })],
    ],
    [
      'watch-initial',
      'one of it twice',
      [watch(46, '', [...state.slice(0, 1), ...state.slice(0, 1)])],
    ],
    ['initial-end', 'no end', [watch(46, '', [...state, a5], { streamsList: true })]],
    [
      'initial-end',
      'an end that is not asked for',
      [watch(46, '', [...state, bookmark(4, 48, true)])],
    ],
    ['expired-early', 'before the stream', [watch(35, '3', [], { code: 410 })]],
    [
      'expired-early',
      'in the stream',
      [watch(35, '3', [{ time: 48, type: 'ERROR', version: 0, code: 410 }])],
    ],
    [
      'unexpected-answer',
      'a failure',
      [watch(35, '3', [{ time: 48, type: 'ERROR', version: 0, code: 500 }])],
    ],
    [
      'unexpected-answer',
      'no JSON',
      [watch(35, '3', [{ time: 48, type: 'MALFORMED', version: 0 }])],
    ],
  ]);
});

t.test('what a scribe could not follow is not judged, and counted', async (t) => {
  const records: HistoryRecord[] = [
    ...story().filter((record) => record.record !== 'watch'),
    watch(11, '1', EVENTS.slice(0, 2), { scribe: true, end: 37 }),
    list(61, { limit: 1, after: 'n1/b', pages: pages([6, []]) }),
    wholeList(62, 6, [B6]),
    watch(63, '6', EVENTS.slice(5), { scribe: true, settled: true }),
    get(46, A3),
  ];
  const { violations, unchecked } = checkHistory(records, WINDOW_MS);
  t.same(violations, []);
  t.ok(unchecked > 0);
  // Nobody may have seen the change after 3: it can have left the window, and not before 3 has.
  const late = watch(20_000, '3', [], { code: 410 });
  t.same(checkHistory([...records, late], WINDOW_MS).violations, [], 'gone after the window');
  const early = watch(65, '3', [], { code: 410, end: 70 });
  const rules = checkHistory([...records, early], WINDOW_MS).violations.map(({ rule }) => rule);
  t.same(rules, ['expired-early'], 'not gone inside the window');
});

t.end();
