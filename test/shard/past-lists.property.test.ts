/**
 * Lists at old versions and in pages against a model that keeps every state: random writes of few
 * keys, compaction and restarts between them.
 */
import fc from 'fast-check';
import t from 'tap';
import { SECRET } from '../../src/resources/core/secret.ts';
import { newestView, viewAt } from '../../src/shard/read/read-view.ts';
import type { ReadView } from '../../src/shard/read/read-view.ts';
import { ALL_KEYS } from '../../src/shard/table/object-table.ts';
import { kindNamed, minimalObject } from '../support/kinds.ts';
import type { TestObject } from '../support/kinds.ts';
import { refusal } from '../support/thrown-status.ts';
import { ShardUnderTest } from '../support/shard-under-test.ts';

type Step =
  | { readonly do: 'write'; readonly key: string; readonly app: string; readonly type: string }
  | { readonly do: 'delete'; readonly key: string }
  | { readonly do: 'compact' }
  | { readonly do: 'restart' };

interface Row {
  readonly rv: string;
  readonly app: string;
  readonly type: string;
}

type State = ReadonlyMap<string, Row>;

const KEYS = ['a/p', 'a/q', 'b/p', 'b/q', 'b/r', 'c/p'];
const SECRET_KIND = kindNamed('Secret');

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      key: fc.constantFrom(...KEYS),
      app: fc.constantFrom('web', 'db'),
      type: fc.constantFrom('t1', 't2'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      key: fc.constantFrom(...KEYS),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'compact' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
);

const SELECTORS = [
  { namespace: '', labelSelector: '', fieldSelector: '' },
  { namespace: 'b', labelSelector: '', fieldSelector: '' },
  { namespace: '', labelSelector: 'app=web', fieldSelector: '' },
  { namespace: '', labelSelector: '', fieldSelector: 'type=t1' },
  { namespace: 'b', labelSelector: 'app!=db', fieldSelector: 'type=t2' },
  { namespace: '', labelSelector: '', fieldSelector: 'metadata.namespace=b,metadata.name=p' },
] as const;
type Selectors = (typeof SELECTORS)[number];

function matching(state: State, { namespace, labelSelector, fieldSelector }: Selectors): string[] {
  return [...state]
    .filter(([key]) => namespace === '' || key.startsWith(`${namespace}/`))
    .filter(([, row]) => labelSelector === '' || row.app === 'web')
    .filter(([key, row]) => {
      if (fieldSelector === '') return true;
      return fieldSelector.startsWith('type=')
        ? `type=${row.type}` === fieldSelector
        : key === 'b/p';
    })
    .map(([key, { rv }]) => `${key} ${rv}`)
    .sort();
}

function listed({ items }: TestObject): string[] {
  return items.map(
    ({ metadata: { namespace, name, resourceVersion } }: TestObject) =>
      `${namespace}/${name} ${resourceVersion}`,
  );
}

/** A shard of secrets beside what its state was at each version. */
class Run {
  subject = new ShardUnderTest({ definition: SECRET });
  readonly states = new Map<number, State>([[100, new Map()]]);
  #state = new Map<string, Row>();
  #horizon = 0;

  async apply(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (step.do === 'write') await this.#write(step.key, step.app, step.type);
      else if (step.do === 'delete') await this.#delete(step.key);
      else if (step.do === 'compact') await this.#compact();
      else this.#restart();
    }
  }

  /** Versions that history still reaches back to. */
  kept(): number[] {
    return [...this.states.keys()].filter((rv) => rv >= this.#horizon);
  }

  #restart(): void {
    const { log, clock } = this.subject;
    this.subject = new ShardUnderTest({ definition: SECRET, log, clock });
  }

  #keep(): void {
    this.states.set(this.subject.clock.current(), new Map(this.#state));
  }

  async #write(key: string, app: string, type: string): Promise<void> {
    const [namespace, name = ''] = key.split('/');
    const metadata = { namespace, labels: { app } };
    // The type of a secret is immutable: an update keeps it.
    const stored = this.#state.get(key);
    const members = { type: stored?.type ?? type };
    const object = minimalObject(SECRET_KIND, name, members, metadata);
    const { object: written } =
      stored === undefined
        ? await this.subject.create(object, { namespace: namespace ?? '' })
        : await this.subject.update(object, { namespace: namespace ?? '', name });
    const rv: string = written.metadata.resourceVersion;
    this.#state.set(key, { rv, app, type: members.type });
    this.#keep();
  }

  async #delete(key: string): Promise<void> {
    const [namespace = '', name = ''] = key.split('/');
    if (!this.#state.delete(key)) return;
    await this.subject.delete(name, { namespace });
    this.#keep();
  }

  /** Drops all history before the last change, as a window that it has left does. */
  async #compact(): Promise<void> {
    const { versions } = this.subject.shard.history;
    const rvs: number[] = [];
    for (let seq = versions.firstSeq; seq < versions.nextSeq; seq++) {
      rvs.push(versions.rvAt(seq));
      this.#horizon = versions.successorAt(seq);
    }
    if (rvs.length === 0) return;
    await this.subject.log.append([], { rvs, horizon: this.#horizon });
    versions.dropBefore(versions.nextSeq);
  }
}

t.test('a list at any version in the window is the state at that version', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const run = new Run();
      await run.apply(steps);
      for (const rv of run.kept()) {
        for (const selectors of SELECTORS) {
          const exact = { resourceVersion: String(rv), resourceVersionMatch: 'Exact' };
          const list = await run.subject.list({ ...selectors, ...exact });
          t.equal(list.metadata.resourceVersion, String(rv));
          t.same(listed(list), matching(run.states.get(rv) ?? new Map(), selectors));
        }
      }
      const gone = [...run.states.keys()].find((rv) => !run.kept().includes(rv));
      if (gone === undefined) return;
      const exact = { resourceVersion: String(gone), resourceVersionMatch: 'Exact' };
      t.match(await refusal(run.subject.list(exact)), { code: 410, reason: 'Expired' });
    }),
    { numRuns: 60 },
  );
});

t.test('a view at any version in the window has the objects of that version', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const run = new Run();
      await run.apply(steps);
      const { shard } = run.subject;
      const versions = (view: ReadView | undefined) =>
        KEYS.map((key) => String(view?.versionOf(key) ?? 'none'));
      for (const rv of run.kept()) {
        const state = run.states.get(rv);
        const expected = KEYS.map((key) => state?.get(key)?.rv ?? 'none');
        const view = await new Promise<ReadView | undefined>((then) => viewAt(shard, rv, then));
        t.same(versions(view), expected);
        t.equal(view?.count(ALL_KEYS), state?.size);
        if (rv === shard.pipeline.listVersion()) t.same(versions(newestView(shard)), expected);
      }
    }),
    { numRuns: 60 },
  );
});

t.test('pages add up to the state at the version of the first one', async (t) => {
  const page = fc.record({ limit: fc.integer({ min: 1, max: 3 }), between: fc.array(step) });
  const pages = fc.array(page, { minLength: 6, maxLength: 6 });
  const selectors = fc.constantFrom(...SELECTORS);
  await fc.assert(
    fc.asyncProperty(fc.array(step), selectors, pages, async (steps, selectors, pages) => {
      const run = new Run();
      await run.apply(steps);
      const rv = run.subject.clock.current();
      const expected = matching(run.states.get(rv) ?? new Map(), selectors);
      const seen: string[] = [];
      let token = '';
      for (const { limit, between } of pages) {
        const { metadata, items } = await run.subject.list({
          ...selectors,
          limit,
          continue: token,
        });
        seen.push(...listed({ items }));
        t.equal(metadata.resourceVersion, String(rv));
        token = metadata.continue ?? '';
        const rest = expected.length - seen.length;
        t.equal(token !== '', rest > 0, 'a token as long as there is more');
        const { namespace: _namespace, ...rest2 } = selectors;
        const counted = Object.values(rest2).every((text) => text === '') && rest > 0;
        t.equal(metadata.remainingItemCount, counted ? rest : undefined);
        if (token === '') break;
        await run.apply(between.filter((one) => one.do !== 'compact'));
      }
      t.same(seen, expected);
    }),
    { numRuns: 150 },
  );
});
