// SPEC "ControllerRevision" and API-FACTS 14.2.
import t from 'tap';
import { RawJson } from '../../src/codec/raw-json.ts';
import { CONTROLLER_REVISION } from '../../src/resources/apps/controller-revision.ts';
import { KindRules } from './kind-rules.ts';

const data = (text: string): object => RawJson.ofText(text);
const rules = new KindRules(CONTROLLER_REVISION, { revision: 3, data: data('{"a":1}') });

t.test('rules of a ControllerRevision', async (t) => {
  rules.checkCreates(t, [
    ['SPEC: data is not required', { data: undefined }, []],
    ['an empty object is data', { data: data('{}') }, []],
    [
      '14.2: revision is not negative',
      { revision: -1 },
      ['revision: Invalid value: -1: must be greater than or equal to 0'],
    ],
    ['revision may be an int64', { revision: 9223372036854775807n }, []],
  ]);
});

t.test('updates of a ControllerRevision', async (t) => {
  rules.checkUpdates(t, [
    ['14.2: revision is mutable', {}, { revision: 4 }, []],
    [
      'SPEC: data cannot be mutated',
      {},
      { data: data('{"a":2}') },
      ['data: Invalid value: {"a":2}: field is immutable'],
    ],
  ]);
});
