/** The dialect knows every kind that is served: of one that it does not, little is translated. */
import t from 'tap';
import { KINDS } from '../../../src/resources/registry.ts';
import { VIRTUAL_KINDS } from '../../../src/resources/virtual-kinds.ts';
import { swapDocument } from '../../../src/semantics/dialect/json-edits.ts';

for (const { kind } of [...KINDS, ...VIRTUAL_KINDS]) {
  const name = '{"spec":{"apiGroup":"storage.cluster.io"}}';
  t.equal(swapDocument(kind, name), name.replace('cluster.io', 'k8s.io'), kind);
}
