/** What an etcd has done since it was started, as its metrics say. */

const NAMES = {
  transactions: 'etcd_server_proposals_committed_total',
  syncs: 'etcd_disk_wal_fsync_duration_seconds_count',
  diskBytes: 'etcd_disk_wal_write_bytes_total',
  receivedBytes: 'etcd_network_client_grpc_received_bytes_total',
  sentBytes: 'etcd_network_client_grpc_sent_bytes_total',
} as const;

export type EtcdFigures = Readonly<Record<keyof typeof NAMES, number>>;

/** Of one member; undefined where it has none, as the double. */
export async function etcdFigures(server: string): Promise<EtcdFigures | undefined> {
  const response = await fetch(`${server}/metrics`).catch(() => undefined);
  if (response?.ok !== true) return undefined;
  const text = await response.text();
  const valueOf = (name: string): number =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  return Object.fromEntries(
    Object.entries(NAMES).map(([figure, name]) => [figure, valueOf(name)]),
  ) as EtcdFigures;
}

/** What each of so many writes has had it do. */
export function eachWrite(
  before: EtcdFigures,
  after: EtcdFigures,
  writes: number,
): Readonly<Record<string, number>> {
  const each = (figure: keyof EtcdFigures): number =>
    (after[figure] - before[figure]) / Math.max(1, writes);
  return {
    'etcd transactions': each('transactions'),
    'etcd syncs': each('syncs'),
    'etcd disk bytes': each('diskBytes'),
    'etcd received bytes': each('receivedBytes'),
    'etcd sent bytes': each('sentBytes'),
  };
}
