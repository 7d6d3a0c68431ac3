/** Rows of lists are made once, and show the ages of the moment in which they are sent. */
import t from 'tap';
import { CONFIG_MAP } from '../../../src/resources/core/config-map.ts';
import { PageBuffer } from '../../../src/shard/state/page-buffer.ts';
import { EncodingCache } from '../../../src/shard/representation/encoding-cache.ts';
import { CacheBudget } from '../../../src/shard/representation/cache-budget.ts';
import { Representations } from '../../../src/shard/representation/representations.ts';
import type { Form } from '../../../src/semantics/options/answer-form.ts';
import { compileValidators } from '../../../src/semantics/validation/validator-compiler.ts';
import { builtInType } from '../../../src/types/built-in/built-in-type.ts';
import { MODEL } from '../../resources/kind-rules.ts';

const KIND = builtInType(CONFIG_MAP, MODEL, compileValidators(MODEL, [CONFIG_MAP.message]));
const CREATED = '2024-03-01T12:00:00Z';
const CREATED_MS = Date.parse(CREATED);
const METADATA = `"metadata":{"name":"\u20ac","resourceVersion":"7","creationTimestamp":"${CREATED}"}`;
const WIRE = Buffer.from(`${METADATA},"data":{"a":"1","b":"2"}}`);
const PARTIAL = `{"kind":"PartialObjectMetadata","apiVersion":"meta.cluster.io/v1",${METADATA}}`;
const WHOLE = `{"kind":"ConfigMap","apiVersion":"v1",${METADATA},"data":{"a":"1","b":"2"}}`;

/** Lists of one object at a version; each time that it is read is counted. */
class Listed {
  nowMs = CREATED_MS;
  reads = 0;
  readonly room = new CacheBudget();
  readonly representations = new Representations(
    KIND,
    () => this.nowMs,
    new EncodingCache(this.room),
  );

  /** Its row; undefined when the version is gone. */
  row(includeObject?: Form['includeObject'], isThere = true): string | undefined {
    const form: Form = { encoding: 'json', as: 'Table', ...(includeObject && { includeObject }) };
    const page = new PageBuffer();
    const wireAt = (): Uint8Array | undefined => {
      this.reads += 1;
      return isThere ? WIRE : undefined;
    };
    const isAdded = this.representations.of({ form }).list.addItem(page, 7, wireAt, true);
    return isAdded ? Buffer.from(page.bytes()).toString() : undefined;
  }
}

const rowOf = (age: string, object: string): string =>
  `{"cells":["\u20ac",2,"${age}"],"object":${object}}`;

t.test('a row that is kept shows the age of each time that it is sent', async (t) => {
  const listed = new Listed();
  for (const [seconds, age] of [
    [0, '0s'],
    [59, '59s'],
    [-5, String.raw`\u003cinvalid\u003e`],
    [3_600, '60m'],
  ] as const) {
    listed.nowMs = CREATED_MS + 1_000 * seconds;
    t.equal(listed.row('None'), rowOf(age, 'null'));
  }
  t.equal(listed.reads, 1, 'of the object nothing more is read');
});

t.test('rows are the same whatever they hold of their objects', async (t) => {
  const listed = new Listed();
  t.equal(listed.row(), rowOf('0s', PARTIAL));
  t.equal(listed.reads, 1);
  const { taken } = listed.room;
  t.equal(listed.row(), rowOf('0s', PARTIAL));
  t.equal(listed.row('Object'), rowOf('0s', WHOLE));
  t.equal(listed.row('None'), rowOf('0s', 'null'));
  t.equal(listed.reads, 3);
  t.equal(listed.room.taken, taken);
});

t.test('what is gone, or was replaced, is not shown', async (t) => {
  const listed = new Listed();
  t.equal(listed.row('None', false), undefined);
  listed.row();
  t.equal(listed.row(undefined, false), undefined, 'its metadata is gone');
  listed.representations.forget(7);
  t.equal(listed.room.taken, 0);
  t.equal(listed.row('None', false), undefined);
});

t.test('a type that has changed shows its objects anew', async (t) => {
  const listed = new Listed();
  listed.row('None');
  listed.representations.retype(KIND);
  listed.row('None');
  t.equal(listed.reads, 2);
});
