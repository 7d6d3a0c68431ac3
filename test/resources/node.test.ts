// Rules for nodes alone (src/resources/core/nodes/README.md#nodes), besides the rows of the
// catalogue.
import t from 'tap';
import { NODE } from '../../src/resources/core/nodes/cluster-node.ts';
import { KindRules } from './kind-rules.ts';

const rules = new KindRules(NODE, {});

t.test('the amount of a resource is told by its name, and by brackets without one', (t) => {
  const problems = (name: string): readonly string[] =>
    rules.create({ status: { capacity: { [name]: '-1' }, allocatable: {} } });
  const detail = 'Invalid value: "-1": must be greater than or equal to 0';
  t.same(problems('cpu'), [`status.capacity.cpu: ${detail}`]);
  t.same(problems(''), [`status.capacity[]: ${detail}`]);
  t.end();
});
