/** The client that speaks to real servers: puts calls, watches and leases together. */
import { Calls } from './calls.ts';
import type { Method } from './calls.ts';
import type { EtcdClient, Lease } from './etcd.ts';
import { numberOf, rangeResultOf, revisionOf, txnResultOf } from './from-messages.ts';
import { LeaseKeepAlive } from './lease-keep-alive.ts';
import { CALL_DEADLINE_MS } from './limits.ts';
import type {
  HeadedMessage,
  LeaseMessage,
  RangeAnswer,
  StatusAnswer,
  TxnAnswer,
} from './message-types.ts';
import { etcdCodecs, writtenInt64 } from './messages.ts';
import type { EtcdMessages, MessageName } from './messages.ts';
import { Servers } from './servers.ts';
import type { TlsFiles } from './servers.ts';
import { txnBytesHint, txnMessage } from './to-messages.ts';
import { Watches } from './watches.ts';

export interface EtcdOptions {
  /** URLs like `http://127.0.0.1:2379`. One is used, until it fails. */
  readonly servers: readonly string[];
  /** Of servers with `https`. */
  readonly tls?: TlsFiles;
  /** As the build compiles them (`ETCD_MESSAGES_FILE`). */
  readonly messages: EtcdMessages;
}

/**
 * Makes a client, which connects when it is first asked. Throws an Error with a line for the user
 * where an address or a file cannot be used.
 */
export function connectEtcd({ servers: urls, tls, messages }: EtcdOptions): EtcdClient {
  const methods = etcdMethods(messages);
  const servers = new Servers(urls, tls);
  const calls = new Calls(servers);
  const watches = new Watches(servers, methods.watch);
  const renewals = new Set<LeaseKeepAlive>();

  return {
    async range(range, { deadlineMs = CALL_DEADLINE_MS } = {}) {
      const needsLeader = range.serializable !== true;
      const message = methods.range.request.encode(range);
      const { answer } = await calls.read(methods.range, message, { deadlineMs, needsLeader });
      return rangeResultOf(answer as RangeAnswer);
    },

    async txn(txn, { deadlineMs = CALL_DEADLINE_MS } = {}) {
      const message = methods.txn.request.encode(txnMessage(txn), txnBytesHint(txn));
      return txnResultOf((await calls.write(methods.txn, message, deadlineMs)) as TxnAnswer);
    },

    async compact(revision, { deadlineMs = CALL_DEADLINE_MS } = {}) {
      const message = methods.compact.request.encode({ revision });
      const answer = await calls.write(methods.compact, message, deadlineMs);
      return revisionOf(answer as HeadedMessage);
    },

    watch: (watch, listener) => watches.add(watch, listener),

    async leaseGrant({ ttlSeconds, id = 0n }, { deadlineMs = CALL_DEADLINE_MS } = {}) {
      const sentAtMs = performance.now();
      const method = methods.leaseGrant;
      const message = method.request.encode({ TTL: ttlSeconds, ID: writtenInt64(id) });
      const { ID, TTL } = (await calls.write(method, message, deadlineMs)) as LeaseMessage;
      return { id: BigInt(ID), ttlSeconds: numberOf(TTL), sentAtMs };
    },

    leaseKeepAlive(lease: Lease, listener) {
      const renewal = new LeaseKeepAlive(servers, methods.leaseKeepAlive, lease, listener);
      renewals.add(renewal);
      return {
        close: () => {
          renewals.delete(renewal);
          renewal.close();
        },
      };
    },

    async leaseRevoke(id, { deadlineMs = CALL_DEADLINE_MS } = {}) {
      const message = methods.leaseRevoke.request.encode({ ID: writtenInt64(id) });
      await calls.write(methods.leaseRevoke, message, deadlineMs);
    },

    async status({ deadlineMs = CALL_DEADLINE_MS } = {}) {
      const options = { deadlineMs, needsLeader: false };
      const message = methods.status.request.encode({});
      const { answer, server } = await calls.read(methods.status, message, options);
      return { server, ...statusOf(answer as StatusAnswer) };
    },

    close() {
      for (const renewal of renewals) renewal.close();
      watches.close();
      servers.close();
      calls.close();
    },
  };
}

function statusOf(answer: StatusAnswer) {
  const { header, version, isLearner, errors } = answer;
  return {
    version,
    revision: revisionOf(answer),
    clusterId: BigInt(header?.clusterId ?? 0),
    memberId: BigInt(header?.memberId ?? 0),
    leaderId: BigInt(answer.leader),
    isLearner,
    raftTerm: BigInt(answer.raftTerm),
    dbSize: numberOf(answer.dbSize),
    dbSizeInUse: numberOf(answer.dbSizeInUse),
    errors,
  };
}

function etcdMethods(messages: EtcdMessages) {
  const codecs = etcdCodecs(messages);
  const method = (path: string, request: MessageName, response: MessageName): Method => ({
    path: `/etcdserverpb.${path}`,
    request: codecs[request],
    response: codecs[response],
  });
  return {
    range: method('KV/Range', 'RangeRequest', 'RangeResponse'),
    txn: method('KV/Txn', 'TxnRequest', 'TxnResponse'),
    compact: method('KV/Compact', 'CompactionRequest', 'CompactionResponse'),
    watch: method('Watch/Watch', 'WatchRequest', 'WatchResponse'),
    leaseGrant: method('Lease/LeaseGrant', 'LeaseGrantRequest', 'LeaseGrantResponse'),
    leaseRevoke: method('Lease/LeaseRevoke', 'LeaseRevokeRequest', 'LeaseRevokeResponse'),
    leaseKeepAlive: method(
      'Lease/LeaseKeepAlive',
      'LeaseKeepAliveRequest',
      'LeaseKeepAliveResponse',
    ),
    status: method('Maintenance/Status', 'StatusRequest', 'StatusResponse'),
  };
}
