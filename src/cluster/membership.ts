/**
 * This server as one of several that share an etcd, as the main thread has it: what all of them
 * have in common, who owns all types, and the way to that server.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { readOwn, writePrivate } from '../auth/own-files.ts';
import type { Port } from '../actors/port.ts';
import type { Config } from '../config/config.ts';
import type { EtcdStoreConfig } from '../config/store.ts';
import type { EtcdClient } from '../etcd/etcd.ts';
import { Campaign, factsOf, type ServerFacts } from '../journal/campaign.ts';
import { checkBuild, FORMAT_SETTING, type Build } from '../journal/cluster-format.ts';
import { JournalSettings } from '../journal/journal-settings.ts';
import { definitionUidOf, JournalKeys, typesIn } from '../journal/keys.ts';
import { Ownership } from '../journal/ownership.ts';
import { ThreadVersions } from '../journal/thread-versions.ts';
import { viewRevision, writeViewMark, type ViewMarkOptions } from '../journal/view-mark.ts';
import { ViewProgress, type ObjectsRead } from '../journal/view-progress.ts';
import type { VersionClock } from '../sequencer/version-clock.ts';
import type { ServerRow } from '../front/front-protocol.ts';
import { ServerMetrics } from './journal-metrics.ts';
import { OwnersUpkeep } from './owners-upkeep.ts';
import { Peers } from './peers.ts';
import { etcdClient, type JournalInit } from './thread-journal.ts';

/** Set once they are all in etcd. */
const FILES_SETTING = 'files';
const PEER_KEY_SETTING = 'peerKey';
const PEER_KEY_BYTES = 32;
const HEALTH_MS_MAX = 2_000;
const FILES_WAIT_MS = 200;
const REPORT_MS = 1_000;
/** What is not marked is read from etcd again by the next start. */
const MARK_MS = 5_000;
/** Between two lines that tell how far the view is. */
const READING_TOLD_MS = 2_000;
const CLUSTER_NAME_CHARS = 32;

export interface MembershipOptions {
  readonly config: Config & { readonly etcd: EtcdStoreConfig };
  readonly buildDir: string;
  /** The folder of the view. */
  readonly viewFolder: string;
  /** Files of the data folder that all servers have the same of. */
  readonly sharedFiles: readonly string[];
  readonly build: Build;
  /** Gives the shard of a type one more client. */
  readonly onPort: (type: string, port: MessagePort) => void;
  /** This server owns all types since that revision. */
  readonly onOwned: (fence: number) => void;
  /** It did, and has to begin anew. */
  readonly onLost: (why: string) => void;
  readonly logInfo: (text: string) => void;
  readonly logError: (text: string) => void;
}

/** What a server has read of etcd that takes part. */
interface Joined {
  readonly settings: JournalSettings;
  readonly ownership: Ownership;
  readonly types: readonly string[];
  readonly mark: ViewMarkOptions;
  readonly viewRevision: number;
}

export class Membership {
  readonly settings: JournalSettings;
  readonly ownership: Ownership;
  readonly #options: MembershipOptions;
  readonly #client: EtcdClient;
  readonly #keys: JournalKeys;
  readonly #versions: SharedArrayBuffer;
  readonly #progress: SharedArrayBuffer;
  readonly #mark: ViewMarkOptions;
  /** Undefined as long as the view is not whole. */
  #markedRevision: number | undefined;
  #markedMs = 0;
  readonly #id = randomUUID();
  readonly #metrics = new ServerMetrics();
  #reporting: NodeJS.Timeout | undefined;
  #told = JSON.stringify({ revision: 0 });
  #readingToldMs = performance.now();
  readonly #peers: Peers;
  #campaign: Campaign | undefined;
  #upkeep: OwnersUpkeep | undefined;
  #owner: ServerFacts | undefined;

  /** The revision from which the view goes on; 0 where it is to be made anew. */
  viewRevision: number;
  /** The uids of definitions whose types etcd had objects of when this server joined. */
  readonly definitionUids: readonly string[];

  private constructor(options: MembershipOptions, joined: Joined) {
    const { mark, settings, types } = joined;
    this.#options = options;
    this.#mark = mark;
    this.#client = mark.client;
    this.#keys = mark.keys;
    this.settings = settings;
    this.ownership = joined.ownership;
    this.viewRevision = joined.viewRevision;
    this.definitionUids = types.flatMap((type) => definitionUidOf(type) ?? []);
    const { config, build, onPort, logError } = options;
    // The main thread has none of the types, and says how far they are.
    this.#versions = ThreadVersions.shared(config.shardThreads + 1);
    this.#progress = ViewProgress.shared(config.shardThreads);
    this.#peers = new Peers({
      key: settings.get(PEER_KEY_SETTING) ?? '',
      build,
      address: config.etcd.peerAddress,
      onPort,
      logError,
    });
  }

  /**
   * Reads what the servers have in common; `prepare` looks at their settings, and makes those that
   * there are not. Rejects with EtcdError, and with ConfigError where this build does not go with
   * what is there.
   */
  static async join(
    options: MembershipOptions,
    prepare: (settings: JournalSettings, isAlone: boolean) => void,
  ): Promise<Membership> {
    const { config, build, buildDir, viewFolder } = options;
    const client = await etcdClient(config.etcd, buildDir);
    const keys = new JournalKeys(config.etcd.prefix);
    const ownership = new Ownership();
    for (;;) {
      const settings = await JournalSettings.read(client, keys, ownership);
      const { kvs: servers } = await client.range(keys.servers);
      const builds = servers.map(({ value }) => factsOf(value));
      checkBuild(build, builds, settings.get(FORMAT_SETTING));
      settings.swap(FORMAT_SETTING, (known) => known ?? String(build.format));
      const made = randomBytes(PEER_KEY_BYTES).toString('base64');
      settings.swap(PEER_KEY_SETTING, (known) => known ?? made);
      prepare(settings, servers.length === 0);
      const types = await typesIn(client, keys);
      const cluster = clusterName(settings.get(PEER_KEY_SETTING) ?? '');
      const mark = { folder: viewFolder, cluster, client, keys };
      const goesOnFrom = await viewRevision(mark);
      // Else another server has begun at the same time.
      if (await settings.store()) {
        const viewFrom = { mark, viewRevision: goesOnFrom };
        return new Membership(options, { settings, ownership, types, ...viewFrom });
      }
    }
  }

  /** Takes part from now on; resolves with whether this server owns all types. */
  async stand(): Promise<boolean> {
    const { config, build, onOwned, onLost, logInfo, logError } = this.#options;
    const address = await this.#peers.listen();
    const self = { id: this.#id, address, ...build };
    this.#reporting = setInterval(() => {
      this.#report(self).catch(() => undefined);
    }, REPORT_MS);
    this.#campaign = new Campaign({
      client: this.#client,
      keys: this.#keys,
      ownership: this.ownership,
      ttlSeconds: config.etcd.leaseTtlMs / 1_000,
      self,
      mayStand: [this.settings.unchanged(FORMAT_SETTING)],
      onOwner: (owner) => {
        this.#owner = owner;
        this.#peers.follow(owner?.address);
        if (owner !== undefined)
          logInfo(`the server ${owner.id} at ${owner.address} owns all types`);
      },
      onOwned: (fence) => {
        logInfo(`this server, ${this.#id} at ${address}, owns all types since revision ${fence}`);
        this.#peers.follow(undefined);
        this.ownership.take(fence);
        this.#metrics.owned();
        onOwned(fence);
      },
      onLost,
      logError,
    });
    return this.#campaign.stand();
  }

  get isOwner(): boolean {
    return this.#campaign?.isOwner === true;
  }

  get fence(): number {
    return this.ownership.fence;
  }

  init(): JournalInit {
    return {
      etcd: this.#options.config.etcd,
      ownership: this.ownership.shared,
      versions: this.#versions,
      progress: this.#progress,
      viewRevision: this.viewRevision,
    };
  }

  /** All types are in the view: from now on the next start can go on from it. */
  keepView(): void {
    const { of } = this.#objects();
    if (this.#markedRevision === undefined && of > 0) {
      this.#options.logInfo(`the view is whole: ${of} objects were read`);
    }
    this.#markedRevision ??= 0;
  }

  async #markView(): Promise<void> {
    const revision = new ViewProgress(this.#progress).revision();
    if (this.#markedRevision === undefined || revision <= this.#markedRevision) return;
    this.#markedRevision = revision;
    this.#markedMs = performance.now();
    await writeViewMark(this.#mark, revision);
  }

  /** Keeps history in etcd as long as clients may ask for it; for the owner. */
  keepUp(clock: VersionClock): void {
    const { config, logInfo, logError } = this.#options;
    this.#upkeep = new OwnersUpkeep({
      client: this.#client,
      keys: this.#keys,
      ownership: this.ownership,
      versions: new ThreadVersions(this.#versions, clock),
      historyMs: config.watchHistoryMs,
      logInfo,
      logError,
    });
  }

  /** Writes the files that all servers have in common into the folder, once they are in etcd. */
  async takeFiles(): Promise<void> {
    const { dataDir } = this.#options.config;
    while (!this.isOwner) {
      const settings = await JournalSettings.read(this.#client, this.#keys, this.ownership);
      if (settings.get(FILES_SETTING) !== undefined) break;
      await new Promise((resolve) => setTimeout(resolve, FILES_WAIT_MS));
    }
    const { kvs } = await this.#client.range(this.#keys.files);
    for (const { key, value } of kvs) {
      const file = join(dataDir, JournalKeys.nameOf(key));
      const text = Buffer.from(value).toString();
      if (readOwn(file) !== text) writePrivate(file, text);
    }
  }

  /** Puts into etcd what the owner has made of them. */
  async giveFiles(): Promise<void> {
    const { config, sharedFiles } = this.#options;
    const { dataDir } = config;
    const puts = sharedFiles.flatMap((name) => {
      const text = readOwn(join(dataDir, name));
      return text === undefined
        ? []
        : [{ put: { key: this.#keys.file(name), value: Buffer.from(text) } }];
    });
    await this.#client.txn({ success: puts });
    await this.settings.put(FILES_SETTING, 'made');
  }

  /** Takes all that is left of the type of a definition out of etcd, where this server owns it. */
  async dropType(definitionUid: string): Promise<void> {
    const { fence } = this.ownership;
    const types = await typesIn(this.#client, this.#keys);
    for (const type of types.filter((name) => definitionUidOf(name) === definitionUid)) {
      if (fence === 0) return;
      await this.#client.txn({
        compare: [this.#keys.ownedSince(fence)],
        success: [
          { delete: this.#keys.objects(type) },
          { delete: { key: this.#keys.group(type) } },
          { delete: { key: this.#keys.turn(type) } },
        ],
      });
    }
  }

  /** Joins a port to the shard of a type of the owner; closes it where there is none. */
  connectOwner(type: string, port: Port): void {
    if (this.#owner === undefined || this.isOwner) port.close();
    else this.#peers.connect(this.#owner.address, type, port);
  }

  /** Rejects where etcd does not answer. */
  async check(): Promise<void> {
    await this.#client.range({ key: this.#keys.version }, { deadlineMs: HEALTH_MS_MAX });
  }

  /** Tells metrics, and the other servers, how far this one is. */
  async #report(self: ServerFacts): Promise<void> {
    const { seen } = this.ownership;
    const { revision } = await this.#client.range({ key: this.#keys.version });
    const reading = this.#reading(revision);
    this.#metrics.tell(revision, this.isOwner ? revision : seen);
    if (performance.now() - this.#markedMs > MARK_MS) await this.#markView();
    const told = { revision: seen, ...(reading && { reading }) };
    const text = JSON.stringify(told);
    if (text === this.#told) return;
    this.#told = text;
    await this.#campaign?.tell({ ...self, ...told });
  }

  #objects(): ObjectsRead {
    return new ViewProgress(this.#progress).objects();
  }

  /** The objects that are read of etcd, as long as the view is not whole; says so now and then. */
  #reading(revision: number): ObjectsRead | undefined {
    if (this.#markedRevision !== undefined) return undefined;
    const { read, of } = this.#objects();
    const nowMs = performance.now();
    if (nowMs - this.#readingToldMs >= READING_TOLD_MS) {
      this.#readingToldMs = nowMs;
      const { seen } = this.ownership;
      const objects = read < of ? `${read} of ${of} objects, ` : '';
      this.#options.logInfo(`the view is read: ${objects}revision ${seen} of ${revision}`);
    }
    return of > 0 ? { read, of } : undefined;
  }

  /** All servers. Rejects with EtcdError. */
  async servers(): Promise<readonly ServerRow[]> {
    const [{ kvs }, { kvs: owners }] = await Promise.all([
      this.#client.range(this.#keys.servers),
      this.#client.range({ key: this.#keys.owner }),
    ]);
    const owner = owners[0] && factsOf(owners[0].value).id;
    return kvs.map(({ value }) => {
      const { id, address, revision = 0, reading } = factsOf(value);
      const isSelf = id === this.#id;
      return {
        id,
        address,
        role: id === owner ? 'owner' : 'follower',
        self: isSelf,
        revision: isSelf ? this.ownership.seen : revision,
        ...(reading && { reading }),
      };
    });
  }

  /** Gives up what it owns, at once; others know when it resolves. */
  async leave(): Promise<void> {
    this.#upkeep?.stop();
    // Without a mark of now the next start reads a little more.
    await this.#markView().catch(() => undefined);
    await this.#campaign?.resign();
  }

  close(): void {
    clearInterval(this.#reporting);
    this.#upkeep?.stop();
    this.#campaign?.close();
    this.#peers.close();
    this.#client.close();
  }
}

/** Names the servers that share a key, and tells nothing of it. */
function clusterName(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, CLUSTER_NAME_CHARS);
}
