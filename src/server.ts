/** Composition root: store, actors, front; then signals until the end. */
import { dirname } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { keepCompiledCode } from './actors/compiled-code.ts';
import {
  readAuthentication,
  readAuthenticationFile,
} from './auth/authentication/authenticators.ts';
import { adminKubeconfig, adminToken } from './auth/credentials.ts';
import { waitForParent } from './base/wait-for-parent.ts';
import { CustomTypes } from './cluster/custom-types.ts';
import { Cluster } from './cluster/cluster.ts';
import { ServedFiles } from './served-files.ts';
import { goByLaboratoryClock } from './laboratory-clock.ts';
import type { Membership } from './cluster/membership.ts';
import { Threads, type ThreadsOptions } from './cluster/threads.ts';
import type { AdmissionConfig } from './admission/chain.ts';
import { reloadManifests } from './admission/manifest-reload.ts';
import type { PluginTools } from './admission/plugin.ts';
import { PLUGINS } from './admission/plugins.ts';
import { reloadConfiguration } from './auth/configuration/configuration-reload.ts';
import { readConfigurationFile } from './auth/configuration/read-configuration.ts';
import { auditSettings } from './config/audit-policy.ts';
import type { Config } from './config/config.ts';
import { readPluginSettings } from './config/plugin-settings.ts';
import { openDataFolder } from './data-folder.ts';
import type { DataFolder } from './data-folder.ts';
import { endNextTime, endNow } from './end-process.ts';
import { fail } from './fail.ts';
import { openInRelease, unservedTypes } from './folder-release.ts';
import { ownRelease, releaseName } from './release/release.ts';
import { openObjects, placeOf } from './open-objects.ts';
import { noteTranslated, openInDialect, translatedLine } from './folder-dialect.ts';
import { firstCommands } from './front/documents/first-commands.ts';
import { Health } from './front/documents/health.ts';
import type { Opening } from './front/front-protocol.ts';
import type { StartSteps } from './front/documents/start-steps.ts';
import { joinCluster, rejoin, rejoinIfItHelps, sharedCustomLogs } from './join-cluster.ts';
import type { TokenSettings } from './auth/service-account-tokens.ts';
import { newSharedMetrics, type SharedMetrics } from './observability/metrics/metric-store.ts';
import { answerProfiles } from './observability/profiles/profile-channel.ts';
import { reportThreadLoad } from './observability/metrics/thread-load.ts';
import { joinMetrics } from './observability/metrics/thread-metrics.ts';
import type { AuditSettings } from './audit/settings.ts';
import { chooseLog, logError, logInfo } from './observability/log/log.ts';
import { KINDS, resourceKey } from './resources/registry.ts';
import { enabledApi, runningKinds } from './types/runtime-config.ts';
import { listenAddresses, reachOf, serverUrl, withBoundAddress } from './server-addresses.ts';
import { SHARDS_STEPS, startSteps, TYPES_STEP, FOLLOWED_STEPS } from './server-steps.ts';
import { backupFacts } from './backup-facts.ts';
import { serverChecks } from './server-checks.ts';
import { folderSettings, serverId } from './server-id.ts';
import type { Settings, Store } from './storage/store.ts';
import { storeServes } from './storage/upgrade/keep-old.ts';
import { NotOwnerError } from './journal/not-owner-error.ts';
import { programVersion } from './version.ts';

const BUILD_DIR = dirname(fileURLToPath(import.meta.url));

/** As metrics and profiles call it. */
const MAIN_THREAD = 'main';

class Server {
  readonly #config: Config;
  readonly #metrics: SharedMetrics;
  readonly #folder: DataFolder;
  readonly #store: Store;
  /** Settings that servers of one cluster have in common. */
  readonly #shared: Settings;
  /** Absent where no other server shares the store. */
  readonly #membership: Membership | undefined;
  /** The actors of the built-in types. */
  readonly #cluster: Cluster;
  readonly #types: CustomTypes;
  readonly #steps: StartSteps;
  readonly #files: ServedFiles;
  readonly #health: Health;
  #owning: Promise<void> | undefined;
  #tokens: TokenSettings | undefined;
  #phase: 'starting' | 'serving' | 'stopping' = 'starting';

  constructor(
    config: Config,
    admission: AdmissionConfig,
    audit: AuditSettings | undefined,
    membership: Membership | undefined,
  ) {
    this.#config = config;
    this.#membership = membership;
    this.#metrics = newSharedMetrics(1 + config.fronts + config.shardThreads);
    joinMetrics(this.#metrics, MAIN_THREAD);
    reportThreadLoad(MAIN_THREAD);
    answerProfiles(MAIN_THREAD);
    this.#steps = startSteps(config);
    this.#files = new ServedFiles(config);
    // The fronts do it for themselves: here it is said what is wrong with the option.
    const enabled = enabledApi(config, logInfo).types;
    for (const warning of config.featureGateWarnings) logInfo(`--feature-gates: ${warning}`);
    const place = placeOf(config, membership);
    const startThreads = (): Threads =>
      this.#newThreads({ admission, place, journal: membership?.init() });
    // Those of a view are told what has become of it when it was opened.
    const early = membership === undefined ? startThreads() : undefined;
    waitForParent();
    this.#folder = openDataFolder(config.dataDir, membership === undefined);
    this.#store = openObjects(config, membership);
    const threads = early ?? startThreads();
    this.#shared = membership?.settings ?? this.#store.shared;
    this.#openInRelease();
    const kinds = runningKinds(enabled, this.#store.notedLogs());
    const logs = kinds.map(resourceKey);
    this.#store.makeLogs(logs);
    this.#types = new CustomTypes({
      cluster: () => this.#cluster,
      store: membership ? sharedCustomLogs(this.#store, membership) : this.#store,
      onLogDropped: (name) => {
        const records = noteTranslated(this.#shared, name, 0);
        if (records !== undefined) logInfo(translatedLine(config.apiDomain, records));
      },
      logError: (text) => logError(`types: ${text}`),
    });
    const livezGraceUntilMs = Date.now() + config.livezGraceMs;
    const checks = serverChecks({
      store: this.#store,
      cluster: () => this.#cluster,
      membership,
      steps: this.#steps,
      isStopping: () => this.#phase === 'stopping',
    });
    this.#health = new Health({ checks, livezGraceUntilMs, nowMs: Date.now, logError });
    this.#cluster = new Cluster({
      config,
      admission,
      audit,
      checks,
      livezGraceUntilMs,
      metrics: this.#metrics,
      buildDir: BUILD_DIR,
      place,
      threads,
      onOwnersPort: (type, port) => membership?.connectOwner(type, port),
      servers: async () => membership?.servers(),
      resign: () => this.#resign(),
      kinds,
      untranslated: openInOwnDialect(this.#store, this.#shared, config.apiDomain, logs),
      published: () => this.#files.published(),
      serverId: this.id,
      backupFacts: () => backupFacts(config.dataDir, this.#shared),
      local: this.#store.local,
      types: this.#types,
    });
  }

  #newThreads(own: Pick<ThreadsOptions, 'admission' | 'place' | 'journal'>): Threads {
    const onCrash: ThreadsOptions['onCrash'] = (actor, error) => this.#crash(actor, error);
    const all = { config: this.#config, buildDir: BUILD_DIR, metrics: this.#metrics, onCrash };
    return new Threads({ ...all, ...own });
  }

  /** '' where it has none. */
  get id(): string {
    const { featureGates } = this.#config;
    const isView = this.#membership !== undefined;
    const local = isView ? folderSettings(this.#config.dataDir) : this.#store.local;
    return featureGates.has('APIServerIdentity') ? serverId(local) : '';
  }

  /** Says what becomes of what an earlier release has stored. */
  #openInRelease(): void {
    const { release, allowLowerRelease } = this.#config;
    const before = openInRelease(this.#shared, release, allowLowerRelease);
    if (before === undefined || before === release) return;
    logInfo(`the data folder goes from release ${releaseName(before)} to ${releaseName(release)}`);
    for (const type of unservedTypes(this.#store, KINDS.map(resourceKey))) {
      logInfo(`release ${releaseName(release)} has no ${type}: they are kept, and not served`);
    }
  }

  async start(): Promise<void> {
    this.#heedSignals();
    const { dataDir, apiDomain } = this.#config;
    await this.#membership?.takeFiles();
    const token = adminToken(dataDir);
    const authentication = readAuthentication(this.#config.authentication, {
      dataDir,
      adminToken: token,
      trustsClientCertificates: this.#config.tls.clientAuthorityFile !== '',
    });
    // Neither needs the other: the slower decides how long a start takes.
    const [tls] = await Promise.all([this.#files.tls(), this.#startTypes()]);
    const addresses = listenAddresses(this.#config);
    const ownAuthority = this.#config.tls.certFile === '' ? (tls?.authorityFile ?? '') : '';
    const reach = reachOf(this.#config, ownAuthority);
    const commands = firstCommands(reach);
    const opening: Opening = {
      ...(tls !== undefined && { tls }),
      serverUrl: await serverUrl(this.#config),
      rootPage: { version: programVersion(), apiDomain, addresses, commands },
      authentication,
    };
    this.#tokens = authentication.serviceAccounts.tokens;
    const owns = this.#owning !== undefined || this.#membership === undefined;
    if (owns) await this.#cluster.controllers.start('beforeServing', this.#steps, this.#tokens);
    await this.#steps.run(TYPES_STEP, this.#cluster.fronts.open(opening));
    await Promise.all([
      this.#steps.run(FOLLOWED_STEPS, this.#cluster.fronts.informed()),
      owns
        ? this.#cluster.controllers.start(undefined, this.#steps, this.#tokens)
        : this.#steps.skip(),
    ]);
    const kubeconfig = adminKubeconfig(
      { dataDir, server: reach.https || reach.http, authorityFile: tls?.authorityFile ?? '' },
      token,
    );
    this.#phase = 'serving';
    await this.#whenReady();
    storeServes(dataDir, logInfo);
    const { objects } = this.#cluster;
    process.stdout.write(
      `shardplane ready ${addresses.join(' ')} kubeconfig ${kubeconfig} (${objects} objects)\n` +
        `${commands.join('\n')}\n`,
    );
    keepCompiledCode();
    this.#membership?.keepView();
    const { fence = 0 } = this.#membership ?? {};
    if (fence > 0) await this.own(fence);
  }

  /** One that shares etcd serves whatever becomes of that. */
  async #whenReady(): Promise<void> {
    if (await this.#health.isReady()) return;
    if (this.#membership === undefined) throw new Error('the server is not ready: see above');
  }

  /** Resolves when all types are there, those too that are defined. */
  async #startTypes(): Promise<void> {
    await this.#steps.run(SHARDS_STEPS, this.#cluster.start());
    const { fence = 0 } = this.#membership ?? {};
    if (fence > 0) await (this.#owning = this.#takeOver(fence));
    await this.#cluster.controllers.startTypes(this.#steps);
  }

  /** This server has become the owner of all types. */
  async own(fence: number): Promise<void> {
    const tokens = this.#tokens;
    // A start looks by itself, before it ends.
    if (this.#phase !== 'serving' || this.#owning !== undefined || tokens === undefined) return;
    try {
      await (this.#owning = this.#takeOver(fence));
      await this.#cluster.controllers.start('beforeServing', this.#steps, tokens);
      await this.#cluster.controllers.start(undefined, this.#steps, tokens);
    } catch (error) {
      rejoin((error as Error).message);
    }
  }

  async #takeOver(fence: number): Promise<void> {
    await this.#cluster.takeOver(fence);
    await this.#membership?.giveFiles();
    this.#membership?.keepUp(this.#cluster.clock);
  }

  /** Another server owns at once: what was answered is in etcd, and what was not is refused. */
  async #resign(): Promise<undefined> {
    if (this.#membership?.isOwner !== true) throw new NotOwnerError();
    this.#phase = 'stopping';
    // Whatever etcd says: nothing is owned any more.
    await this.#membership.leave().finally(() => void this.#rejoinWhenAnswered());
    return undefined;
  }

  /** Requests that were accepted have their answers, the one to resign among them. */
  async #rejoinWhenAnswered(): Promise<void> {
    const why = 'it was asked to resign';
    setTimeout(() => rejoin(why), this.#config.shutdownTimeoutMs);
    const { fronts } = this.#cluster;
    try {
      await fronts.stopListening();
      await fronts.finish();
    } catch (error) {
      rejoin(`${why}; ${(error as Error).message}`);
    }
    rejoin(why);
  }

  /** Gives the shard of a type one more client, which is of another server. */
  giveClient(type: string, port: MessagePort): void {
    this.#cluster.giveClient(type, port);
  }

  /** Closing the terminal stops it as the others do. */
  #heedSignals(): void {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => this.#onSignal());
    }
  }

  /** The first signal stops in order; a second one, or one before it serves, at once. */
  #onSignal(): void {
    if (this.#phase !== 'serving') endNow(1);
    this.#phase = 'stopping';
    endNextTime();
    this.#stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error as Error),
    );
  }

  async #stop(): Promise<void> {
    const { shutdownDelayMs, shutdownTimeoutMs } = this.#config;
    // Meanwhile /readyz fails, so that load balancers look elsewhere.
    await new Promise((resolve) => setTimeout(resolve, shutdownDelayMs));
    const late = setTimeout(() => {
      logInfo('stopped with requests unanswered: --shutdown-timeout is over');
      endNow(1);
    }, shutdownTimeoutMs);
    const { fronts } = this.#cluster;
    await fronts.stopListening();
    await fronts.finish();
    await this.#cluster.stop();
    await fronts.stop();
    await this.#membership?.leave();
    this.#membership?.close();
    await this.#store.close();
    this.#folder.release();
    clearTimeout(late);
  }

  /** An actor is gone: nothing it owned can be answered, so the process ends loudly. */
  #crash(actor: string, error: Error): void {
    rejoinIfItHelps(error, this.#membership, this.#config.dataDir);
    if (this.#phase === 'starting') fail(error);
    const what = error.stack ?? error.message;
    logError(`the worker thread of the actor ${actor} has ended, and so does the server: ${what}`);
    endNow(2);
  }
}

/** Types with records that are to be translated while the server runs. */
function openInOwnDialect(
  store: Store,
  shared: Settings,
  apiDomain: Config['apiDomain'],
  logs: readonly string[],
): readonly string[] {
  // Logs of types that are not served now are translated when they are again.
  const running = [...logs, ...store.customLogs()];
  const all = new Set([...running, ...store.notedLogs()]);
  const found = openInDialect(shared, apiDomain, [...all]);
  const untranslated = found.filter((type) => running.includes(type));
  if (untranslated.length > 0) {
    logInfo(`translating the data folder to the names of ${apiDomain}`);
  }
  return untranslated;
}

/** Serves until a signal ends the process. Rejects when the server cannot start. */
export async function serve(given: Config): Promise<void> {
  chooseLog(given.observability.log);
  const config = await withBoundAddress(given);
  const { plugins, settings, settingsFile } = config.admission;
  const tools: PluginTools = {
    gates: config.featureGates,
    typeOf: async (resource, gates) => {
      const { loadType } = await import('./cluster/load-type.ts');
      return loadType(BUILD_DIR, resource, gates);
    },
  };
  const read = await readPluginSettings(settingsFile, plugins, PLUGINS, tools);
  const admission = { plugins, settings: { ...settings, ...read } };
  const audit = config.audit && auditSettings(config.audit, logInfo);
  const gates = config.featureGates;
  const { file } = config.authorization;
  const decides = file === '' ? undefined : await readConfigurationFile(file, gates);
  const authorization = decides === undefined ? config.authorization : { file, ...decides };
  const knows = await readAuthenticationFile(config.authentication, gates);
  const authentication = knows?.read.config ?? config.authentication;
  let server: Server | undefined;
  const membership = await joinCluster(config, {
    onPort: (type, port) => (server === undefined ? port.close() : server.giveClient(type, port)),
    onOwned: (fence) => void server?.own(fence),
  });
  await goByLaboratoryClock(config);
  server = new Server({ ...config, authentication, authorization }, admission, audit, membership);
  await Promise.all(plugins.map(async (name) => PLUGINS[name]?.atStart?.()));
  await server.start().catch((error: Error) => {
    rejoinIfItHelps(error, membership, config.dataDir);
    throw error;
  });
  const reload = { serverId: server.id, tell: logInfo, logError };
  reloadManifests(read, PLUGINS, { tools, ...reload });
  if (!ownRelease().has('configurationReloads')) return;
  knows?.follow({ ...knows.read, ...reload });
  if (decides !== undefined) reloadConfiguration({ file, read: decides, gates, ...reload });
}
