import t from 'tap';
import { Representations } from '../../src/shard/representation/representations.ts';
import { Selection } from '../../src/shard/table/selection.ts';
import type { Selectable } from '../../src/shard/table/selection.ts';
import { eventWire, transition, WatchHub } from '../../src/shard/state/watch-hub.ts';
import type { Change, Subscriber } from '../../src/shard/state/watch-hub.ts';
import { SECRET } from '../../src/resources/core/secret.ts';
import { NAMESPACE } from '../../src/resources/core/namespace.ts';
import { kindRuntime } from '../support/shard-under-test.ts';

const KIND = kindRuntime(SECRET);

function select(namespace: string, labelSelector = '', fieldSelector = ''): Selection {
  return new Selection(KIND, { namespace, labelSelector, fieldSelector });
}

const SHOWN = new Representations(KIND, Date.now).of({});

function subscribe(hub: WatchHub, reader: Subscriber, selection: Selection): number {
  return hub.subscribe(reader, selection, SHOWN);
}

function state(key: string, labels?: Record<string, string>, type = 'Opaque'): Selectable {
  return { key, labels, fields: [type] };
}

/** The wire text of an object of this version. */
function wireOf(key: string, rv: number): Buffer {
  return Buffer.from(`"metadata":{"name":"${key}","resourceVersion":"${rv}"}}`);
}

function change(rv: number, before: Selectable | undefined, after: Selectable | undefined): Change {
  const { key } = after ?? before ?? state('none');
  return {
    rv,
    key,
    before,
    after,
    wire: wireOf(key, rv),
    previousWire: () => wireOf(`${key}-previous`, rv - 1),
  };
}

interface Event {
  readonly channels: number[];
  readonly rv: number;
  readonly type: string;
  readonly name: string;
  readonly version: string;
}

function notEnded(): never {
  throw new Error('no watch is to end');
}

class Recorder implements Subscriber {
  readonly events: Event[] = [];
  /** Frames that were encoded. */
  frames = 0;

  readonly end = notEnded;

  publish(channels: number[], rv: number, ...frame: Uint8Array[]): void {
    this.frames++;
    const text = Buffer.concat(frame).toString();
    if (!text.endsWith('\n')) throw new Error('an event ends its line');
    const { type, object } = JSON.parse(text);
    if (object.kind !== 'Secret' || object.apiVersion !== 'v1') throw new Error(text);
    const { name, resourceVersion } = object.metadata;
    this.events.push({ channels, rv, type, name, version: resourceVersion });
  }

  /** Types and channels of what came since the last call. */
  take(): [string, ...number[]][] {
    return this.events
      .splice(0)
      .map(({ type, channels }) => [type, ...channels.toSorted((a, b) => a - b)]);
  }
}

function newHub(): { hub: WatchHub; reader: Recorder } {
  return { hub: new WatchHub(KIND.indexedPositions), reader: new Recorder() };
}

const WEB = { app: 'web' };

t.test('what a change is to a selection', async (t) => {
  const selection = select('ns', 'app=web');
  const matching = state('ns/x', WEB);
  const other = state('ns/x', { app: 'other' });
  const elsewhere = state('ns2/x', WEB);
  const table: [Selectable | undefined, Selectable | undefined, string | undefined][] = [
    [undefined, matching, 'ADDED'],
    [other, matching, 'ADDED'],
    [matching, matching, 'MODIFIED'],
    [matching, other, 'DELETED'],
    [matching, undefined, 'DELETED'],
    [other, undefined, undefined],
    [other, other, undefined],
    [undefined, other, undefined],
    [undefined, elsewhere, undefined],
    [elsewhere, undefined, undefined],
    [state('ns/x'), matching, 'ADDED'],
  ];
  for (const [before, after, expected] of table) {
    const what = `${JSON.stringify(before?.labels)} to ${JSON.stringify(after?.labels)}`;
    t.equal(transition(selection, before, after), expected, what);
  }
});

t.test('what leaves a selector is sent as it was, with the new version', async (t) => {
  const left = change(20, state('ns/x', WEB), state('ns/x'));
  const sent = JSON.parse(`{${Buffer.from(eventWire(left, 'DELETED').wire).toString()}`);
  t.same(sent, { metadata: { name: 'ns/x-previous', resourceVersion: '20' } });
  const gone = change(21, state('ns/x', WEB), undefined);
  t.same(eventWire(gone, 'DELETED'), { wire: gone.wire, rv: 0 }, 'a deletion is recorded as such');
  t.same(eventWire(left, 'MODIFIED'), { wire: left.wire, rv: 20 });
});

t.test('watches of the same thing share a channel, and the last to leave closes it', async (t) => {
  const { hub, reader } = newHub();
  const first = subscribe(hub, reader, select('ns', 'app=web,tier=back'));
  t.equal(subscribe(hub, reader, select('ns', 'tier=back,app=web')), first, 'in any order');
  const others = [
    subscribe(hub, reader, select('ns', 'app=web')),
    subscribe(hub, reader, select('ns2', 'app=web,tier=back')),
    subscribe(hub, reader, select('ns', 'app=web,tier=back', 'type=Opaque')),
    subscribe(hub, new Recorder(), select('ns', 'app=web,tier=back')),
  ];
  t.equal(new Set([first, ...others]).size, 5, 'of other things or readers they do not');
  t.equal(hub.channelCount, 5);
  hub.unsubscribe(first);
  t.equal(hub.channelCount, 5, 'one watch is left');
  hub.unsubscribe(first);
  t.equal(hub.channelCount, 4);
  t.throws(() => hub.unsubscribe(first), { name: 'AssertionError' });
  t.not(subscribe(hub, reader, select('ns', 'app=web,tier=back')), first, 'a new one has a new id');
});

t.test('a closed channel gets nothing', async (t) => {
  const { hub, reader } = newHub();
  const id = subscribe(hub, reader, select('ns'));
  hub.publish(change(1, undefined, state('ns/x')));
  hub.unsubscribe(id);
  hub.publish(change(2, undefined, state('ns/y')));
  t.equal(reader.events.length, 1);
});

t.test('a change finds its channels by everything, namespace and name', async (t) => {
  const { hub, reader } = newHub();
  const all = subscribe(hub, reader, select(''));
  const ns = subscribe(hub, reader, select('ns'));
  const name = subscribe(hub, reader, select('', '', 'metadata.name=x'));
  const one = subscribe(hub, reader, select('ns', '', 'metadata.name=x'));
  const byField = subscribe(hub, reader, select('', '', 'metadata.namespace=ns'));
  const table: [string, number[]][] = [
    ['ns/x', [all, ns, name, one, byField]],
    ['ns/y', [all, ns, byField]],
    ['other/x', [all, name]],
    ['other/y', [all]],
    ['ns2/x', [all, name]],
    ['n/s', [all]],
  ];
  for (const [key, channels] of table) {
    hub.publish(change(1, undefined, state(key)));
    t.same(reader.take(), [['ADDED', ...channels]], key);
  }
});

t.test('a change is encoded once for each event type and reader', async (t) => {
  const { hub, reader } = newHub();
  const second = new Recorder();
  const added = subscribe(hub, reader, select('', 'app=web'));
  const alsoAdded = subscribe(hub, reader, select('ns', 'app=web'));
  const modified = subscribe(hub, reader, select(''));
  const deleted = subscribe(hub, reader, select('', 'app!=web'));
  const elsewhere = subscribe(hub, second, select(''));
  hub.publish(change(9, state('ns/x'), state('ns/x', WEB)));
  t.same(
    reader.events.toSorted((a, b) => (a.type < b.type ? -1 : 1)),
    [
      { channels: [added, alsoAdded], rv: 9, type: 'ADDED', name: 'ns/x', version: '9' },
      { channels: [deleted], rv: 9, type: 'DELETED', name: 'ns/x-previous', version: '9' },
      { channels: [modified], rv: 9, type: 'MODIFIED', name: 'ns/x', version: '9' },
    ],
  );
  t.equal(reader.frames, 3);
  t.same(second.take(), [['MODIFIED', elsewhere]]);
});

t.test('a selector on an indexed field follows the field', async (t) => {
  const { hub, reader } = newHub();
  const id = subscribe(hub, reader, select('', '', 'type=tls'));
  hub.publish(change(1, undefined, state('ns/x')));
  t.same(reader.take(), []);
  hub.publish(change(2, state('ns/x'), state('ns/x', undefined, 'tls')));
  t.same(reader.take(), [['ADDED', id]]);
  hub.publish(change(3, state('ns/x', undefined, 'tls'), state('ns/x', undefined, 'tls')));
  t.same(reader.take(), [['MODIFIED', id]]);
  hub.publish(change(4, state('ns/x', undefined, 'tls'), state('ns/x')));
  t.same(reader.take(), [['DELETED', id]]);
  hub.publish(change(5, state('ns/y', undefined, 'tls'), undefined));
  t.same(reader.take(), [['DELETED', id]]);
  const inNamespace = subscribe(hub, reader, select('ns', '', 'type=tls'));
  hub.publish(change(6, undefined, state('ns2/x', undefined, 'tls')));
  t.same(reader.take(), [['ADDED', id]]);
  hub.publish(change(7, undefined, state('ns/x', undefined, 'tls')));
  t.same(reader.take(), [['ADDED', id, inNamespace]]);
});

type Labels = Record<string, string> | undefined;

t.test('a selector that demands one value of a label follows the label', async (t) => {
  const { hub, reader } = newHub();
  const web = subscribe(hub, reader, select('', 'app=web'));
  const both = subscribe(hub, reader, select('ns', 'tier in (back),app=web'));
  const either = subscribe(hub, reader, select('', 'app in (web,db)'));
  const table: [Labels, Labels, (string | number)[][]][] = [
    [undefined, WEB, [['ADDED', web, either]]],
    [
      WEB,
      { ...WEB, tier: 'back' },
      [
        ['MODIFIED', web, either],
        ['ADDED', both],
      ],
    ],
    [
      { ...WEB, tier: 'back' },
      { app: 'db', tier: 'back' },
      [
        ['DELETED', web, both],
        ['MODIFIED', either],
      ],
    ],
    [{ app: 'db' }, { app: 'other' }, [['DELETED', either]]],
    [{ app: 'other' }, { constructor: 'web' }, []],
  ];
  for (const [before, after, expected] of table) {
    hub.publish(change(1, before && state('ns/x', before), after && state('ns/x', after)));
    t.same(new Set(reader.take()), new Set(expected), JSON.stringify(after));
  }
  for (const id of [web, both]) hub.unsubscribe(id);
  hub.publish(change(2, undefined, state('ns/x', WEB)));
  t.same(reader.take(), [['ADDED', either]]);
});

t.test('names that contradict each other match nothing', async (t) => {
  const { hub, reader } = newHub();
  subscribe(hub, reader, select('ns', '', 'metadata.name=x,metadata.name=y'));
  hub.publish(change(1, undefined, state('ns/x')));
  hub.publish(change(2, undefined, state('ns/y')));
  t.same(reader.take(), []);
});

t.test('objects without a namespace are found by name', async (t) => {
  const kind = kindRuntime(NAMESPACE);
  const hub = new WatchHub(kind.indexedPositions);
  const seen: number[][] = [];
  const reader = { publish: (channels: number[]) => void seen.push(channels), end: notEnded };
  const selection = (fieldSelector: string) =>
    new Selection(kind, { namespace: '', labelSelector: '', fieldSelector });
  const all = subscribe(hub, reader, selection(''));
  const one = subscribe(hub, reader, selection('metadata.name=x'));
  hub.publish(change(1, undefined, { key: 'x', labels: undefined, fields: ['Active'] }));
  hub.publish(change(2, undefined, { key: 'y', labels: undefined, fields: ['Active'] }));
  t.same(seen, [[all, one], [all]]);
});

t.test('a change is encoded once for all who are told of it', async (t) => {
  const { hub } = newHub();
  const told: { channels: number[]; frame: readonly Uint8Array[] }[] = [];
  const reader = (): Subscriber => ({
    publish: (channels, _rv, ...frame) => void told.push({ channels, frame }),
    end: notEnded,
  });
  const [one, other] = [reader(), reader()];
  const all = [one, other].map((each) => subscribe(hub, each, select('')));
  const selected = subscribe(hub, other, select('ns', 'app=web'));
  let encoded = 0;
  const { event } = SHOWN;
  t.teardown(() => Object.assign(SHOWN, { event }));
  Object.assign(SHOWN, {
    event: (...what: Parameters<typeof event>) => {
      encoded++;
      return event.apply(SHOWN, what);
    },
  });
  hub.publish(change(1, undefined, state('ns/x', WEB)));
  t.equal(encoded, 1);
  t.same(
    told.map(({ channels }) => channels),
    [[all[0]], [all[1], selected]],
  );
  t.ok(
    told[0]?.frame.every((part, at) => part === told[1]?.frame[at]),
    'the same bytes',
  );
});
