/** Metrics of servers that share an etcd. */
import type { MetricDefinition } from './metric-definition.ts';

export const JOURNAL_METRICS = {
  shardplane_journal_transaction_duration_seconds: {
    type: 'histogram',
    help: 'How long groups of writes take until etcd has them.',
    labels: [],
    stability: 'ALPHA',
    buckets: [
      0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1, 2, 4, 8,
    ],
  },
  shardplane_journal_transaction_writes: {
    type: 'histogram',
    help: 'Writes that share a transaction of etcd.',
    labels: [],
    stability: 'ALPHA',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
  },
  shardplane_journal_transaction_bytes_total: {
    type: 'counter',
    help: 'Bytes of objects in transactions of etcd.',
    labels: [],
    stability: 'ALPHA',
  },
  shardplane_journal_doubts_total: {
    type: 'counter',
    help: 'Transactions of which nobody knew whether etcd had them, until they were looked for.',
    labels: [],
    stability: 'ALPHA',
  },
  shardplane_journal_revision: {
    type: 'gauge',
    help: 'The revision of etcd, as this server was told last.',
    labels: [],
    stability: 'ALPHA',
  },
  shardplane_view_revision: {
    type: 'gauge',
    help: 'The revision of etcd up to which this server has seen what becomes of objects.',
    labels: [],
    stability: 'ALPHA',
  },
  shardplane_view_lag_seconds: {
    type: 'gauge',
    help: 'For how long this server has not seen all that etcd had when it was asked.',
    labels: [],
    stability: 'ALPHA',
  },
  shardplane_owner: {
    type: 'gauge',
    help: '1 where this server owns all types, 0 where another does.',
    labels: [],
    stability: 'ALPHA',
  },
  shardplane_takeovers_total: {
    type: 'counter',
    help: 'How often this server has become the owner of all types.',
    labels: [],
    stability: 'ALPHA',
  },
  shardplane_passed_writes_total: {
    type: 'counter',
    help: 'Writes that were passed on to the server that owns all types.',
    labels: ['resource'],
    stability: 'ALPHA',
  },
} as const satisfies Record<string, MetricDefinition>;
