// ControllerRevision: its rules are in test/catalogue/apps/controllerrevision.ts.
import t from 'tap';
import { RawJson } from '../../src/codec/json/raw-json.ts';
import { CONTROLLER_REVISION } from '../../src/resources/apps/controller-revision.ts';
import { KindRules } from './kind-rules.ts';

const data = RawJson.ofText('{"a":1}');
const rules = new KindRules(CONTROLLER_REVISION, { revision: 3, data });

t.test('an int64 for a revision', async (t) => {
  t.same(rules.create({ revision: 9223372036854775807n }), []);
  t.same(rules.update({}, { revision: 9223372036854775807n }), [], 'which may change');
});

t.test('data that is an empty object', async (t) => {
  t.same(rules.create({ data: RawJson.ofText('{}') }), []);
});
