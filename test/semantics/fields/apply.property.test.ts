/** Rules for server-side apply, whatever is applied, in whatever order. */
import fc from 'fast-check';
import t from 'tap';
import type { Members } from '../../../src/codec/model/schema-model.ts';
import { applyConfig, type Applied } from '../../../src/semantics/fields/apply.ts';
import { ApplyConflictError } from '../../../src/semantics/fields/apply.ts';
import { compareFields } from '../../../src/semantics/fields/compare-fields.ts';
import {
  difference,
  intersection,
  isEmptySet,
  pathTexts,
} from '../../../src/semantics/fields/field-set.ts';
import {
  formatManagedFields,
  parseManagedFields,
} from '../../../src/semantics/fields/managed-fields.ts';
import { trackUpdate } from '../../../src/semantics/fields/track-update.ts';
import { equalDocuments } from '../../../src/semantics/patch/document.ts';
import { fieldSetOf, withNamedFields } from '../../../src/semantics/fields/typed-document.ts';
import { schema } from '../../support/apply-scenario.ts';

const OBJECT = schema(`
  message Object {
    optional string text = 1;
    map<string, string> data = 2;
    repeated string names = 3 [(list_type) = "set"];
    repeated Item items = 4 [(list_type) = "map", (list_map_keys) = "name"];
    repeated string whole = 5;
    optional Part part = 6 [(presence) = true];
  }
  message Item {
    optional string name = 1;
    optional string value = 2;
    repeated string tags = 3 [(list_type) = "set"];
  }
  message Part { optional string a = 1; optional string b = 2; }
`);
const TYPE = OBJECT.typeOf('v1');

const word = fc.constantFrom('x', 'y', 'z');
const set = fc.uniqueArray(word, { minLength: 1, maxLength: 3 });
const item = fc.record({ name: word, value: word, tags: set }, { requiredKeys: ['name'] });
// No empty messages: what others had in one is pruned to null, and that is not the same.
const config = fc.record(
  {
    text: word,
    data: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), word, { minKeys: 1 }),
    names: set,
    items: fc.uniqueArray(item, { selector: ({ name }) => name, minLength: 1, maxLength: 3 }),
    whole: fc.array(word, { minLength: 1, maxLength: 2 }),
    part: fc.record({ a: word, b: word }, { requiredKeys: ['a'] }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Members>;

const manager = fc.constantFrom('ann', 'ben', 'cat');

interface Step {
  readonly verb: 'apply' | 'force' | 'update';
  readonly manager: string;
  readonly config: Members;
}

const step: fc.Arbitrary<Step> = fc.record({
  verb: fc.constantFrom('apply', 'force', 'force', 'update'),
  manager,
  config,
});
const history = fc.array(step, { maxLength: 6 });

type State = Omit<Applied, 'document'> & { readonly document: Members | undefined };

const NOTHING: State = { document: undefined, entries: [] };

function apply(state: State, manager: string, config: Members, force: boolean): Applied {
  return applyConfig({
    live: state.document,
    config,
    entries: state.entries,
    writer: { manager, apiVersion: 'v1', subresource: '', time: '' },
    force,
    versions: OBJECT,
    ownable: {},
    emptyObject: {},
  });
}

function take(state: State, { verb, manager, config }: Step): State {
  if (verb === 'update') {
    const { document, entries } = state;
    const writer = { manager, apiVersion: 'v1', subresource: '', time: '' };
    const isTracked = document === undefined || entries.length > 0;
    const compareIn = () => compareFields(TYPE, document ?? {}, config);
    const after = isTracked ? trackUpdate(entries, writer, compareIn, {}) : entries;
    return { document: config, entries: after };
  }
  try {
    return apply(state, manager, config, verb === 'force');
  } catch (error) {
    if (error instanceof ApplyConflictError) return state;
    throw error;
  }
}

const after = (steps: readonly Step[]): State => steps.reduce(take, NOTHING);

const CHECKED = { seed: 20_230_501, numRuns: 150 };

function holds(name: string, check: (steps: readonly Step[], step: Step) => boolean): void {
  t.test(name, async (t) => {
    fc.assert(fc.property(history, step, check), CHECKED);
    t.pass();
  });
}

holds('the same again changes nothing', (steps, { manager, config }) => {
  const once = apply(after(steps), manager, config, true);
  const again = apply(once, manager, config, false);
  return again.document === once.document && again.entries === once.entries;
});

/** Null is what is left of a map that was pruned: it is as good as absent. */
function withoutNulls(document: Members): Members {
  const text = JSON.stringify(document, (_, value: unknown) => value ?? undefined);
  return JSON.parse(text) as Members;
}

holds('without force nobody else loses a field that stays', (steps, { manager, config }) => {
  const before = after(steps);
  const next = take(before, { verb: 'apply', manager, config });
  const there = fieldSetOf(TYPE, withoutNulls(next.document ?? {}));
  return before.entries
    .filter((entry) => entry.manager !== manager || entry.operation !== 'Apply')
    .every(({ fields, ...owner }) => {
      const now = next.entries.find(
        (entry) => entry.manager === owner.manager && entry.operation === owner.operation,
      );
      const lost = now === undefined ? fields : difference(fields, now.fields);
      return isEmptySet(intersection(lost, there));
    });
});

holds('the config is in the object, and its manager owns it', (steps, { manager, config }) => {
  const { document, entries } = apply(after(steps), manager, config, true);
  const merged = apply({ document, entries: [] }, 'somebody', config, true);
  const own = entries.find((entry) => entry.manager === manager && entry.operation === 'Apply');
  const said = fieldSetOf(TYPE, config);
  return (
    equalDocuments(merged.document, document) &&
    (own === undefined ? isEmptySet(said) : isEmptySet(difference(said, own.fields)))
  );
});

holds('owned is only what is there', (steps) => {
  const { document, entries } = after(steps);
  const there = withNamedFields(TYPE, fieldSetOf(TYPE, document ?? {}));
  const empty = compareFields(TYPE, {}, document ?? {}).changed;
  return entries.every(({ fields }) => isEmptySet(difference(difference(fields, there), empty)));
});

holds('inputs stay as they are', (steps, next) => {
  const before = after(steps);
  const text = JSON.stringify([before, next]);
  take(before, next);
  return text === JSON.stringify([before, next]);
});

holds('entries are read as they were written', (steps) => {
  const text = formatManagedFields(after(steps).entries);
  const read = parseManagedFields(text);
  const copies = read.map((entry) => ({ ...entry }));
  return formatManagedFields(read) === text && formatManagedFields(copies) === text;
});

/** Splits a config into what the first and the second of two managers apply. */
function parts(config: Members): [Members, Members] {
  const names = Object.keys(config);
  const half = (first: boolean) =>
    Object.fromEntries(
      names.filter((_, at) => (at % 2 === 0) === first).map((name) => [name, config[name]]),
    );
  return [half(true), half(false)];
}

function owners({ entries }: State): string[] {
  return entries.map(({ manager, fields }) => [manager, ...pathTexts(fields)].join(' ')).toSorted();
}

t.test('configs that have nothing in common can be applied in any order', async (t) => {
  fc.assert(
    fc.property(config, config, (live, config) => {
      const start: State = { document: live, entries: [] };
      const [first, second] = parts(config);
      const tracked = apply(start, 'cat', {}, false);
      const there = apply(apply(tracked, 'ann', first, true), 'ben', second, true);
      const back = apply(apply(tracked, 'ben', second, true), 'ann', first, true);
      const isSame = owners(there).join('\n') === owners(back).join('\n');
      return isSame && equalDocuments(there.document, back.document);
    }),
    CHECKED,
  );
  t.pass();
});

t.test('what all managers leave out is gone with its owners', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(manager, config), { minLength: 1 }), (configs) => {
      const full = configs.reduce<State>(
        (state, [manager, config]) => apply(state, manager, config, true),
        NOTHING,
      );
      const empty = ['ann', 'ben', 'cat'].reduce(
        (state, manager) => apply(state, manager, {}, false),
        full,
      );
      const rest = withoutNulls(empty.document ?? {});
      return empty.entries.length === 0 && equalDocuments(rest, {});
    }),
    CHECKED,
  );
  t.pass();
});
