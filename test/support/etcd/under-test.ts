import type { Test } from 'tap';
import type { EtcdClient } from '../../../src/etcd/etcd.ts';

/** An etcd that scenarios run on. */
export interface EtcdUnderTest {
  readonly servers: readonly string[];
  close(): void | Promise<void>;
}

/** Runs on a client of its own; keys of other scenarios may be there. */
export type Scenario = (t: Test, client: EtcdClient) => Promise<void>;
