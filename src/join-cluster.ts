/** How a server joins those that share its etcd, and begins anew where it has to. */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CustomLogs } from './cluster/custom-types.ts';
import type { Membership, MembershipOptions } from './cluster/membership.ts';
import { ConfigError } from './base/options/config-error.ts';
import type { Config } from './config/config.ts';
import { SHARED_FILES } from './data-folder.ts';
import { beginAnew, hasBegunAnew } from './end-process.ts';
import { openInDialect, storedDomain } from './folder-dialect.ts';
import { openInRelease, storedRelease } from './folder-release.ts';
import { logError, logInfo } from './observability/log/log.ts';
import { CLUSTER_FORMAT } from './journal/cluster-format.ts';
import { dropViewMark } from './journal/view-mark.ts';
import { releaseName } from './release/release.ts';
import { continueTokenKey } from './shard/state/continue-token.ts';
import { openStore } from './storage/open-store.ts';
import type { StoreOptions, StorePlace } from './storage/open-store.ts';
import { StoreError, type Settings, type Store } from './storage/store.ts';
import { programVersion } from './version.ts';

const BUILD_DIR = dirname(fileURLToPath(import.meta.url));
const VIEW_FOLDER = 'view';
const RETRY_MS = 1_000;

/** Another server owns what this one did, or it has to read more of etcd than its view lacks. */
export function rejoin(why: string): never {
  logError(`this server begins anew: ${why}`);
  return beginAnew();
}

/** The view of this server has come to an end, and the next one begins empty. */
function rejoinWithoutView(why: string, dataDir: string): never {
  dropViewMark(join(dataDir, VIEW_FOLDER));
  return rejoin(why);
}

/** Begins anew where a server has failed for want of etcd, or of a view that etcd contradicts. */
export function rejoinIfItHelps(
  { name, message }: Error,
  membership: Pick<Membership, 'viewRevision'> | undefined,
  dataDir: string,
): void {
  if (membership === undefined) return;
  const isDamaged = membership.viewRevision > 0 && name === 'StoreError';
  if (isDamaged || name === 'RejoinError') rejoinWithoutView(message, dataDir);
  if (name === 'EtcdError') rejoin(message);
}

/** Where the view of a server is. */
export function viewPlace(dataDir: string): StorePlace {
  return { dataDir: join(dataDir, VIEW_FOLDER), durability: 'relaxed' };
}

/** Opens the view of an earlier run, or an empty one where that cannot go on. */
export function openView(
  dataDir: string,
  membership: Pick<Membership, 'viewRevision'>,
  options: StoreOptions,
): Store {
  const place = viewPlace(dataDir);
  const folder = place.dataDir;
  if (membership.viewRevision > 0) {
    try {
      const store = openStore(place, { ...options, isView: true });
      logInfo(`the view in ${folder} goes on from revision ${membership.viewRevision}`);
      return store;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      logInfo(`the view is made anew: ${error.message}`);
    }
  }
  membership.viewRevision = 0;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return openStore(place, options);
}

/**
 * Takes part in the cluster. Undefined where objects are kept on this machine alone. Rejects with
 * ConfigError, and with EtcdError.
 */
export async function joinCluster(
  config: Config,
  callbacks: Pick<MembershipOptions, 'onPort' | 'onOwned'>,
): Promise<Membership | undefined> {
  const { etcd } = config;
  if (etcd === undefined) return undefined;
  const { Membership: Members } = await import('./cluster/membership.ts');
  const options: MembershipOptions = {
    config: { ...config, etcd },
    buildDir: BUILD_DIR,
    viewFolder: join(config.dataDir, VIEW_FOLDER),
    sharedFiles: SHARED_FILES,
    build: { version: programVersion(), format: CLUSTER_FORMAT },
    ...callbacks,
    onLost: rejoin,
    logInfo,
    logError,
  };
  for (;;) {
    let membership: Membership | undefined;
    let before: number | undefined;
    try {
      membership = await Members.join(options, (settings, isAlone) => {
        before = prepareShared(settings, isAlone, config);
      });
      tellRelease(before, config.release);
      await membership.stand();
      return membership;
    } catch (error) {
      membership?.close();
      // Read anew.
      if ((error as Error).name === 'StandError') continue;
      if ((error as Error).name !== 'EtcdError') throw error;
      const why = `cannot use etcd at ${etcd.servers.join(', ')}: ${(error as Error).message}`;
      if (!hasBegunAnew()) throw new StoreError(`${why}. Start etcd, or see --etcd-servers`);
      logError(`${why}; it is tried again`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** The logs of custom types, in the view and in etcd. */
export function sharedCustomLogs(view: Store, membership: Membership): CustomLogs {
  return {
    customLogs: () => [...new Set([...view.customLogs(), ...membership.definitionUids])],
    dropLog: async (uid) => {
      await view.dropLog(uid);
      await membership.dropType(uid);
    },
    finishDrops: () => view.finishDrops(),
    openCustomLog: (name) => view.openCustomLog(name),
  };
}

/** Told by the one that puts the release into etcd: no server of another one is there. */
function tellRelease(before: number | undefined, release: number): void {
  if (before === undefined || before === release) return;
  logInfo(`what is in etcd goes from release ${releaseName(before)} to ${releaseName(release)}`);
}

/**
 * Gives the release that was used before, undefined where nothing is stored. Throws ConfigError
 * where this server is unlike the others, or unlike what is stored.
 */
function prepareShared(
  shared: Settings,
  isAlone: boolean,
  { apiDomain, release, allowLowerRelease }: Config,
): number | undefined {
  const domain = storedDomain(shared);
  if (domain !== undefined && domain !== apiDomain) {
    throw new ConfigError(
      `what is in etcd has the names of ${domain}: give --api-domain ${domain}`,
    );
  }
  const others = storedRelease(shared);
  if (!isAlone && others !== undefined && others !== release) {
    const name = releaseName(others);
    throw new ConfigError(
      `the other servers of the cluster behave like release ${name}: give --release ${name}, or ` +
        'stop all of them before the first one is started with another release',
    );
  }
  openInDialect(shared, apiDomain, []);
  continueTokenKey(shared);
  return openInRelease(shared, release, allowLowerRelease);
}
