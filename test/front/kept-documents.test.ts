/** Documents that a front keeps of what clients got, and when it asks the shard again. */
import t from 'tap';
import { KeptDocuments, KeptRoom } from '../../src/front/kept-documents.ts';
import { KEPT_DOCUMENT_BYTES_MAX } from '../../src/front/limits.ts';
import { TypeMetrics } from '../../src/front/metrics/request-metrics.ts';
import type { ResourceRoute } from '../../src/front/requests/route.ts';
import { answeredCell, AnsweredVersions } from '../../src/replicas/answered-versions.ts';
import { PLAIN_JSON, type Form } from '../../src/semantics/options/answer-form.ts';

const PODS = answeredCell('pods');
const PROTOBUF: Form = { encoding: 'protobuf' };

const ROUTE: ResourceRoute = {
  verb: 'get',
  namespace: 'ns',
  name: 'x',
  subresource: '',
  shard: 'pods',
  kind: 'Pod',
  message: 'core.v1.Pod',
  version: 0,
  warning: '',
  metrics: new TypeMetrics({ group: '', version: 'v1', resource: 'pods', kind: 'Pod' }),
};

class Documents {
  readonly answered = new AnsweredVersions();
  readonly room: KeptRoom;
  readonly #documents: KeptDocuments;

  constructor(bytesMax = 64 * 1_024) {
    this.room = new KeptRoom(bytesMax);
    this.#documents = new KeptDocuments(this.room, this.answered, PODS);
  }

  /** What is kept; where nothing is, '' and the answer of the shard is kept from now on. */
  get(of: Partial<ResourceRoute>, answer: string, form = PLAIN_JSON, meanwhile = () => {}): string {
    const found = this.#documents.find({ ...ROUTE, ...of }, form);
    if (found instanceof Uint8Array) return Buffer.from(found).toString();
    meanwhile();
    found?.(Buffer.from(answer));
    return '';
  }
}

t.test('a document is kept until an object of its name has changed', async (t) => {
  const documents = new Documents();
  t.equal(documents.get({}, 'one'), '');
  t.equal(documents.get({}, 'other'), 'one');
  documents.answered.setObject(PODS, 'y', 5);
  t.equal(documents.get({}, 'other'), 'one', 'after a change of another');
  documents.answered.setObject(PODS, 'x', 6);
  t.equal(documents.get({}, 'two'), '');
  t.equal(documents.get({}, 'other'), 'two');
});

t.test('what an object was before a change that came meanwhile is not kept', async (t) => {
  const documents = new Documents();
  const changed = (): void => documents.answered.setObject(PODS, 'x', 7);
  t.equal(documents.get({}, 'old', PLAIN_JSON, changed), '');
  t.equal(documents.get({}, 'new'), '', 'the shard is asked again');
  t.equal(documents.get({}, 'other'), 'new');
});

t.test('each object, version, subresource and form has a document of its own', async (t) => {
  const documents = new Documents();
  const ways: [Partial<ResourceRoute>, Form][] = [
    [{}, PLAIN_JSON],
    [{ namespace: 'other' }, PLAIN_JSON],
    [{ name: 'y' }, PLAIN_JSON],
    [{ version: 1 }, PLAIN_JSON],
    [{ subresource: 'scale' }, PLAIN_JSON],
    [{}, PROTOBUF],
    [{}, { encoding: 'json', as: 'PartialObjectMetadata', metaVersion: 'v1' }],
    [{}, { encoding: 'json', as: 'PartialObjectMetadata', metaVersion: 'v1beta1' }],
  ];
  for (const [at, [of, form]] of ways.entries()) t.equal(documents.get(of, `${at}`, form), '');
  for (const [at, [of, form]] of ways.entries()) t.equal(documents.get(of, 'no', form), `${at}`);
});

t.test('a Table is made anew each time, for its ages', async (t) => {
  const documents = new Documents();
  const table: Form = { encoding: 'json', as: 'Table' };
  t.equal(documents.get({}, 'one', table), '');
  t.equal(documents.get({}, 'two', table), '');
});

t.test('what was not asked for again goes first, and long documents are not kept', async (t) => {
  const documents = new Documents(10_000);
  const text = (name: string): string => name.padEnd(700, '.');
  for (const name of ['a', 'b', 'c', 'd']) documents.get({ name }, text(name));
  t.equal(documents.get({ name: 'a' }, 'anew'), text('a'), 'asked for again');
  for (const name of ['e', 'f', 'g', 'h']) documents.get({ name }, text(name));
  t.equal(documents.get({ name: 'a' }, 'anew'), text('a'));
  t.equal(documents.get({ name: 'b' }, text('b')), '', 'gone');
  const long = new Documents(10 * KEPT_DOCUMENT_BYTES_MAX);
  long.get({}, 'x'.repeat(KEPT_DOCUMENT_BYTES_MAX + 1));
  t.equal(long.get({}, ''), '');
});

t.test('names of types that share nothing have marks of their own', async (t) => {
  const answered = new AnsweredVersions();
  const other = new AnsweredVersions(answered.shared);
  other.setObject(answeredCell('configmaps'), 'x', 3);
  t.equal(answered.objectMark(answeredCell('configmaps'), 'x'), 3, 'in another thread');
  t.equal(answered.objectMark(PODS, 'x'), 0);
  other.setObject(PODS, 'x', 2 ** 33 + 5);
  t.equal(answered.objectMark(PODS, 'x'), 5, 'the lower half of a version');
});
