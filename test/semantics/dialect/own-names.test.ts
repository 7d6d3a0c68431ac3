/** Where nobody has chosen a dialect, as in this process, names are as the sources spell them. */
import t from 'tap';
import { NEUTRAL } from '../../../src/semantics/dialect/dialect.ts';
import {
  chooseDialect,
  ownDialect,
  ownGroup,
  ownName,
  ownNamespace,
} from '../../../src/semantics/dialect/own-names.ts';

t.test('nothing is called otherwise', async (t) => {
  t.equal(ownDialect(), NEUTRAL);
  t.equal(ownGroup('storage.cluster.io'), 'storage.cluster.io');
  t.equal(ownGroup('storage.k8s.io'), 'storage.k8s.io', 'a name of nobody here');
  t.equal(ownName('cluster.io/hostname'), 'cluster.io/hostname');
  t.equal(ownNamespace('cluster-system'), 'cluster-system');
});

t.test('once a name is taken, the dialect cannot be another one', async (t) => {
  ownGroup('storage.cluster.io');
  chooseDialect('cluster.io');
  t.throws(() => chooseDialect('k8s.io'), /names of cluster\.io are in use, and not of k8s\.io/);
  t.equal(ownDialect(), NEUTRAL);
});
