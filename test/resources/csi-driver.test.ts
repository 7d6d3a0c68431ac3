// The generation of a driver counts the changes of what may change.
import t from 'tap';
import { DEFAULT_GATES } from '../../src/release/own-gates.ts';
import type { ApiObject } from '../../src/resources/kind.ts';
import { CSI_DRIVER } from '../../src/resources/storage/csi-driver.ts';

const driver = (spec: object, generation?: number): ApiObject => ({
  metadata: { name: 'a', generation },
  spec,
});

t.test('the generation of a CSIDriver', async (t) => {
  const after = (change: object, generation?: number): number | undefined => {
    const stored = driver({ storageCapacity: false, podInfoOnMount: false }, generation);
    const object = driver({ storageCapacity: false, podInfoOnMount: false, ...change }, generation);
    CSI_DRIVER.prepareForUpdate?.(object, stored, DEFAULT_GATES);
    return object.metadata.generation;
  };
  t.equal(CSI_DRIVER.bumpsGeneration, undefined, 'a new driver has none');
  t.equal(after({}), undefined);
  t.equal(after({ podInfoOnMount: true }), undefined);
  t.equal(after({ storageCapacity: true }), undefined);
  t.equal(after({ tokenRequests: [{ audience: 'a' }] }, 1), 2);
  t.equal(after({ requiresRepublish: true }, 2), 3);
});
