import { join } from 'node:path';

/** Where `npm run build:etcd` puts the program. */
export const BUILT_ETCD = join(import.meta.dirname, '../.runtime/etcd/etcd');
