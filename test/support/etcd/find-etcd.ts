/** Where a real etcd is, for tests that take one when there is one. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { BUILT_ETCD } from '../../../tools/etcd-file.ts';

/** Why tests with a real etcd are left out. */
export const NO_ETCD = 'there is no etcd: npm run build:etcd builds one with Go, or set ETCD';

/** `$ETCD`, the one that was built, or that on the PATH. */
export function findEtcd(): string | undefined {
  const { ETCD, PATH = '' } = process.env;
  const onPath = PATH.split(delimiter).map((folder) => join(folder, 'etcd'));
  return [...(ETCD === undefined ? [] : [ETCD]), BUILT_ETCD, ...onPath].find(canRun);
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
