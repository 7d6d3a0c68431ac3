/**
 * An etcd in memory, behind a real server of its protocol: one member, with faults that a test
 * asks for. The suite in `test/etcd/` shows that it equals the real one in what src/etcd/ uses.
 */
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type {
  Int64,
  LeaseMessage,
  RangeMessage,
  TxnMessage,
  WatchMessage,
} from '../../../../src/etcd/message-types.ts';
import { writtenInt64 } from '../../../../src/etcd/messages.ts';
import { Leases } from './leases.ts';
import { Mvcc } from './mvcc.ts';
import { addDuplex, addUnary } from './services.ts';
import type { Duplex, Received } from './services.ts';
import { messageTooLarge, NO_LEADER, StatusError, TIMED_OUT, TOO_LARGE } from './status-error.ts';
import { checkRange, checkTxn, isWrite, rangeAnswer, txnAnswer } from './transactions.ts';
import { WatchStreams } from './watch-streams.ts';
import type { WatchFaults } from './watch-streams.ts';

/** Etcd's default for what it proposes to its members, and what a message may be longer. */
const REQUEST_BYTES_MAX = 1_572_864;
const MESSAGE_BYTES_MAX = REQUEST_BYTES_MAX + 512 * 1_024;
/** What a proposal has beside the request. */
const PROPOSAL_BYTES = 20;

/** Etcd gives a proposal up after it. */
const REQUEST_TIMEOUT_MS = 7_000;

const MEMBER_ID = writtenInt64(0x8e9e_05c5_2164_694dn);
const IDS = {
  clusterId: writtenInt64(0xcdf8_181e_3277_8df0n),
  memberId: MEMBER_ID,
  raftTerm: 2,
};

export type CallName = 'Range' | 'Txn' | 'Compact' | 'LeaseGrant' | 'LeaseRevoke' | 'Status';
type StreamName = 'Watch' | 'LeaseKeepAlive';

interface Failure {
  readonly call: CallName;
  readonly error: StatusError;
  readonly isDone: boolean;
}

interface Method<Message> {
  readonly needsLeader?: (message: Message) => boolean;
  readonly check?: (message: Message) => void;
  /** Whether it goes to the other members. */
  readonly isProposed?: (message: Message) => boolean;
  readonly run: (message: Message) => object;
}

/** In PEM. Clients need a certificate of the authority. */
export interface DoubleTls {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface DoubleOptions {
  readonly tls?: DoubleTls;
  /** Of the etcd that it is like; 3.7 unless it is said. */
  readonly version?: string;
}

export class EtcdDouble {
  readonly faults: WatchFaults = { duplicates: false, answerBytesMax: REQUEST_BYTES_MAX };
  /** How often each call has reached it. */
  readonly counts = new Map<CallName | StreamName, number>();
  readonly #mvcc: Mvcc;
  readonly #leases: Leases;
  readonly #watches: WatchStreams;
  readonly #renewing = new Set<Duplex>();
  readonly #failures: Failure[] = [];
  /** Transactions of which nobody is to know what became of them. */
  #isDoubtful: ((txn: TxnMessage) => boolean) | undefined;
  #doubts = 0;
  #server: Server | undefined;
  #port = 0;
  #hasLeader = true;
  readonly #tls: DoubleTls | undefined;
  readonly #version: string;

  constructor({ tls, version = '3.7.0' }: DoubleOptions = {}) {
    this.#tls = tls;
    this.#version = version;
    const showsLeasesOfKeys = version.startsWith('3.6.');
    this.#mvcc = new Mvcc((revision) => this.#watches.written(revision), showsLeasesOfKeys);
    this.#leases = new Leases(this.#mvcc);
    this.#watches = new WatchStreams(this.#mvcc, this.faults);
  }

  get url(): string {
    const scheme = this.#tls === undefined ? 'http' : 'https';
    return `${scheme}://127.0.0.1:${this.#port}`;
  }

  get revision(): number {
    return this.#mvcc.revision;
  }

  /** How many streams of watches are open. */
  get watchStreams(): number {
    return this.#watches.count;
  }

  /** Listens, on the port that it had before where there was one. */
  async start(): Promise<void> {
    // Without `grpc.enable_channelz`, which is on, `forceShutdown` would leave connections open.
    const server = new Server({
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
    });
    this.#addUnaries(server);
    const watch = ['WatchRequest', 'WatchResponse'] as const;
    this.#addStream(server, 'Watch', 'Watch', watch, (call) =>
      this.#watches.open(call as ServerDuplexStream<WatchMessage, object>),
    );
    const renewal = ['LeaseKeepAliveRequest', 'LeaseKeepAliveResponse'] as const;
    this.#addStream(server, 'Lease', 'LeaseKeepAlive', renewal, (call) => this.#renew(call));
    this.#port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`127.0.0.1:${this.#port}`, credentialsOf(this.#tls), (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      });
    });
    this.#server = server;
  }

  /** Breaks all connections, and refuses others; what is stored stays. */
  stop(): void {
    this.#server?.forceShutdown();
    this.#server = undefined;
  }

  /** Stops for good. */
  close(): void {
    this.stop();
    this.#leases.close();
  }

  /** The next such call fails: before it is done, or when it is. */
  failNext(call: CallName, error: StatusError, { isDone }: { readonly isDone: boolean }): void {
    this.#failures.push({ call, error, isDone });
  }

  /**
   * The next such transaction is made and those after it are not, and clients cannot tell. The
   * function that it gives ends that.
   */
  doubt(isAbout: (txn: TxnMessage) => boolean): () => void {
    this.#doubts = 0;
    this.#isDoubtful = isAbout;
    return () => (this.#isDoubtful = undefined);
  }

  /** Without a leader there are no writes and no linearizable reads. */
  loseLeader(): void {
    this.#hasLeader = false;
    const error = new StatusError(NO_LEADER);
    this.#watches.endAll(error);
    for (const call of this.#renewing) call.emit('error', error);
  }

  electLeader(): void {
    this.#hasLeader = true;
    this.#leases.renewAll();
  }

  #addUnaries(server: Server): void {
    addUnary(server, 'KV/Range', ['RangeRequest', 'RangeResponse'], (received) =>
      this.#answer('Range', received, {
        needsLeader: ({ serializable }: RangeMessage) => !serializable,
        check: checkRange,
        run: (message) => rangeAnswer(this.#mvcc, message),
      }),
    );
    addUnary(server, 'KV/Txn', ['TxnRequest', 'TxnResponse'], (received) =>
      this.#answer('Txn', received, {
        check: checkTxn,
        isProposed: isWrite,
        run: (message: TxnMessage) => txnAnswer(this.#mvcc, this.#leases, message),
      }),
    );
    addUnary(server, 'KV/Compact', ['CompactionRequest', 'CompactionResponse'], (received) =>
      this.#answer('Compact', received, {
        run: ({ revision }: { readonly revision: Int64 }) => {
          this.#mvcc.compact(Number(revision));
          return {};
        },
      }),
    );
    addUnary(server, 'Lease/LeaseGrant', ['LeaseGrantRequest', 'LeaseGrantResponse'], (received) =>
      this.#answer('LeaseGrant', received, {
        run: ({ ID, TTL }: LeaseMessage) => {
          const { id, ttlSeconds } = this.#leases.grant(Number(TTL), BigInt(ID));
          return { ID: writtenInt64(id), TTL: ttlSeconds };
        },
      }),
    );
    const revocation = ['LeaseRevokeRequest', 'LeaseRevokeResponse'] as const;
    addUnary(server, 'Lease/LeaseRevoke', revocation, (received) =>
      this.#answer('LeaseRevoke', received, {
        run: ({ ID }: LeaseMessage) => {
          this.#leases.revoke(BigInt(ID));
          return {};
        },
      }),
    );
    addUnary(server, 'Maintenance/Status', ['StatusRequest', 'StatusResponse'], (received) =>
      this.#answer('Status', received, {
        needsLeader: () => false,
        run: () => ({
          version: this.#version,
          dbSize: 20_480,
          dbSizeInUse: 16_384,
          leader: this.#hasLeader ? MEMBER_ID : 0,
          raftTerm: 2,
        }),
      }),
    );
  }

  #addStream(
    server: Server,
    service: string,
    name: StreamName,
    messages: Parameters<typeof addDuplex>[2],
    open: (call: Duplex) => void,
  ): void {
    addDuplex(server, `${service}/${name}`, messages, (call) => {
      this.#count(name);
      if (this.#hasLeader) open(call);
      else call.emit('error', new StatusError(NO_LEADER));
    });
  }

  async #answer<Message>(
    name: CallName,
    { message: read, bytes, requiresLeader }: Received,
    { needsLeader = () => true, check, isProposed, run }: Method<Message>,
  ): Promise<object> {
    this.#count(name);
    const message = read as Message;
    if (bytes > MESSAGE_BYTES_MAX) {
      throw new StatusError(messageTooLarge(bytes, MESSAGE_BYTES_MAX));
    }
    check?.(message);
    if (!this.#hasLeader && needsLeader(message)) await giveUp(requiresLeader);
    const isLong = bytes + PROPOSAL_BYTES > REQUEST_BYTES_MAX;
    if (isLong && isProposed?.(message) === true) throw new StatusError(TOO_LARGE);
    const isDoubtful = name === 'Txn' && this.#isDoubtful?.(read as TxnMessage) === true;
    const failure = isDoubtful ? this.#newDoubt() : this.#takeFailure(name);
    if (failure?.isDone === false) throw failure.error;
    const answer = { header: { revision: this.#mvcc.revision }, ...run(message) };
    if (failure !== undefined) throw failure.error;
    return { ...answer, header: { ...this.#header(), ...answer.header } };
  }

  #newDoubt(): Failure {
    this.#doubts += 1;
    return { call: 'Txn', error: new StatusError(TIMED_OUT), isDone: this.#doubts === 1 };
  }

  #header(): object {
    return { ...IDS, revision: this.#mvcc.revision };
  }

  #takeFailure(name: CallName): Failure | undefined {
    const index = this.#failures.findIndex(({ call }) => call === name);
    return index < 0 ? undefined : this.#failures.splice(index, 1)[0];
  }

  #renew(call: Duplex): void {
    this.#renewing.add(call);
    call.on('data', ({ ID }: LeaseMessage) => {
      call.write({ header: this.#header(), ID: written(ID), TTL: this.#leases.renew(BigInt(ID)) });
    });
    call.on('end', () => call.end());
    for (const event of ['end', 'error', 'cancelled']) {
      call.on(event, () => this.#renewing.delete(call));
    }
  }

  #count(name: CallName | StreamName): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}

function credentialsOf(tls: DoubleTls | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const [ca, private_key, cert_chain] = [tls.ca, tls.key, tls.cert].map((text) =>
    Buffer.from(text),
  ) as [Buffer, Buffer, Buffer];
  return ServerCredentials.createSsl(ca, [{ private_key, cert_chain }], true);
}

function written(id: Int64): ReturnType<typeof writtenInt64> {
  return writtenInt64(BigInt(id));
}

async function giveUp(requiresLeader: boolean): Promise<never> {
  if (requiresLeader) throw new StatusError(NO_LEADER);
  await new Promise((resolve) => setTimeout(resolve, REQUEST_TIMEOUT_MS).unref());
  throw new StatusError(TIMED_OUT);
}
