/** What stands for a real etcd in a test, and ends with it. */
import type { Test } from 'tap';
import { EtcdDouble } from './double/etcd-double.ts';
import { FaultyWire } from './faulty-wire.ts';

export async function startDouble(t: Test): Promise<EtcdDouble> {
  const etcd = new EtcdDouble();
  t.teardown(() => etcd.close());
  await etcd.start();
  return etcd;
}

/** A wire to the server at `url`. */
export async function wireTo(t: Test, url: string): Promise<FaultyWire> {
  const wire = await FaultyWire.to(url);
  t.teardown(() => wire.close());
  return wire;
}
