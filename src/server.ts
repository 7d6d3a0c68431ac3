/** Composition root: store, actors, front; then signals until the end. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepCompiledCode } from './actors/compiled-code.ts';
import {
  readAuthentication,
  readAuthenticationFile,
} from './auth/authentication/authenticators.ts';
import { adminKubeconfig, adminToken } from './auth/credentials.ts';
import { publishedAuthentication } from './auth/published-authentication.ts';
import { servingCertificate } from './auth/serving-certificate.ts';
import type { ServingCertificateFiles } from './auth/serving-certificate.ts';
import { CustomTypes } from './cluster/custom-types.ts';
import { Cluster, type Published } from './cluster/cluster.ts';
import { beginning, controllerSteps } from './controllers/registry.ts';
import type { AdmissionConfig } from './admission/chain.ts';
import { PLUGINS } from './admission/plugins.ts';
import { reloadConfiguration } from './auth/configuration/configuration-reload.ts';
import { readConfigurationFile } from './auth/configuration/read-configuration.ts';
import { auditSettings } from './config/audit-policy.ts';
import type { Config } from './config/config.ts';
import { readPluginSettings } from './config/plugin-settings.ts';
import { readOption } from './base/options/read-option.ts';
import { openDataFolder } from './data-folder.ts';
import type { DataFolder } from './data-folder.ts';
import { endNow } from './end-process.ts';
import { fail } from './fail.ts';
import { openInRelease, unservedTypes } from './folder-release.ts';
import { ownRelease, releaseName } from './release/release.ts';
import { noteTranslated, openInDialect, translatedLine } from './folder-dialect.ts';
import { firstCommands } from './front/documents/first-commands.ts';
import { Health } from './front/documents/health.ts';
import type { HealthCheck } from './front/documents/health.ts';
import type { Opening } from './front/front-protocol.ts';
import type { Tls } from './front/transport/tls.ts';
import { StartSteps } from './front/documents/start-steps.ts';
import { readTls } from './front/transport/tls-files.ts';
import { newSharedMetrics } from './observability/metrics/metric-store.ts';
import type { SharedMetrics } from './observability/metrics/metric-store.ts';
import { answerProfiles } from './observability/profiles/profile-channel.ts';
import { reportThreadLoad } from './observability/metrics/thread-load.ts';
import { joinMetrics } from './observability/metrics/thread-metrics.ts';
import { REQUEST_HEADERS_BYTES_MAX } from './limits.ts';
import type { AuditSettings } from './audit/settings.ts';
import { chooseLog, logError, logInfo } from './observability/log/log.ts';
import { KINDS, resourceKey } from './resources/registry.ts';
import { enabledApi, runningKinds } from './types/runtime-config.ts';
import {
  advertisedAddress,
  certificateNames,
  listenAddresses,
  reachOf,
  serverUrl,
  withBoundAddress,
} from './server-addresses.ts';
import { serverId } from './server-id.ts';
import { stepsIn } from './release/start-steps.ts';
import { openStore } from './storage/open-store.ts';
import type { Store } from './storage/store.ts';
import { programVersion } from './version.ts';

const BUILD_DIR = dirname(fileURLToPath(import.meta.url));

/** As metrics and profiles call it. */
const MAIN_THREAD = 'main';

/** The steps of a start besides its controllers, and what they do (src/front/README.md#health). */
const SHARDS_STEPS = [
  'poststarthook/start-shards',
  'poststarthook/start-kube-apiserver-admission-initializer',
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/storage-readiness',
];
const TYPES_STEP = 'autoregister-completion';
const INFORMER_SYNC = 'informer-sync';
const FOLLOWED_STEPS = ['poststarthook/generic-apiserver-start-informers', INFORMER_SYNC];

/** HTTPS, and what clients are to trust. */
interface ServedFiles extends Tls {
  readonly authorityFile: string;
}

class Server {
  readonly #config: Config;
  readonly #metrics: SharedMetrics;
  readonly #folder: DataFolder;
  readonly #store: Store;
  /** The actors of the built-in types. */
  readonly #cluster: Cluster;
  readonly #types: CustomTypes;
  readonly #steps: StartSteps;
  readonly #advertised: Promise<string>;
  #certificate: Promise<ServedFiles | undefined> | undefined;
  readonly #health: Health;
  #phase: 'starting' | 'serving' | 'stopping' = 'starting';

  constructor(config: Config, admission: AdmissionConfig, audit: AuditSettings | undefined) {
    this.#config = config;
    this.#metrics = newSharedMetrics(1 + config.fronts + config.shardThreads);
    joinMetrics(this.#metrics, MAIN_THREAD);
    reportThreadLoad(MAIN_THREAD);
    answerProfiles(MAIN_THREAD);
    this.#steps = startSteps(config);
    this.#advertised = advertisedAddress(config);
    // The fronts do it for themselves: here it is said what is wrong with the option.
    const enabled = enabledApi(config, logInfo).types;
    for (const warning of config.featureGateWarnings) logInfo(`--feature-gates: ${warning}`);
    this.#folder = openDataFolder(config.dataDir);
    this.#store = openStore(config, {
      tell: logInfo,
      onFlushError,
    });
    this.#openInRelease();
    const kinds = runningKinds(KINDS, enabled, this.#store.notedLogs());
    const logs = kinds.map(resourceKey);
    this.#store.makeLogs(logs);
    this.#types = new CustomTypes({
      cluster: () => this.#cluster,
      store: this.#store,
      onLogDropped: (name) => {
        const records = noteTranslated(this.#store.shared, name, 0);
        if (records !== undefined) logInfo(translatedLine(config.apiDomain, records));
      },
      logError: (text) => logError(`types: ${text}`),
    });
    const livezGraceUntilMs = Date.now() + config.livezGraceMs;
    const checks = this.#checks();
    this.#health = new Health({ checks, livezGraceUntilMs, nowMs: Date.now, logError });
    this.#cluster = new Cluster({
      config,
      admission,
      audit,
      checks,
      livezGraceUntilMs,
      metrics: this.#metrics,
      buildDir: BUILD_DIR,
      kinds,
      untranslated: openInOwnDialect(this.#store, config.apiDomain, logs),
      published: () => this.#published(),
      serverId: this.id,
      onCrash: (actor, error) => this.#crash(actor, error),
      typeHandlers: this.#types.handlers,
    });
  }

  /** '' where it has none. */
  get id(): string {
    const { featureGates } = this.#config;
    return featureGates.has('APIServerIdentity') ? serverId(this.#store.local) : '';
  }

  /** Says what becomes of what an earlier release has stored. */
  #openInRelease(): void {
    const { release, allowLowerRelease } = this.#config;
    const before = openInRelease(this.#store.shared, release, allowLowerRelease);
    if (before === undefined || before === release) return;
    logInfo(`the data folder goes from release ${releaseName(before)} to ${releaseName(release)}`);
    for (const type of unservedTypes(this.#store, KINDS.map(resourceKey))) {
      logInfo(`release ${releaseName(release)} has no ${type}: they are kept, and not served`);
    }
  }

  async start(): Promise<void> {
    this.#heedSignals();
    const { dataDir, apiDomain } = this.#config;
    const token = adminToken(dataDir);
    const authentication = readAuthentication(this.#config.authentication, {
      dataDir,
      adminToken: token,
      trustsClientCertificates: this.#config.tls.clientAuthorityFile !== '',
    });
    // Read by the HTTP library when the first front loads it.
    process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(REQUEST_HEADERS_BYTES_MAX);
    // Neither needs the other: the slower decides how long a start takes.
    const [tls] = await Promise.all([(this.#certificate = this.#tls()), this.#startTypes()]);
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
    const { tokens } = authentication.serviceAccounts;
    await this.#cluster.startControllers('beforeServing', this.#steps, tokens);
    await this.#steps.run(TYPES_STEP, this.#cluster.fronts.open(opening));
    await Promise.all([
      this.#steps.run(FOLLOWED_STEPS, this.#cluster.fronts.informed()),
      this.#cluster.startControllers(undefined, this.#steps, tokens),
    ]);
    const kubeconfig = adminKubeconfig(
      { dataDir, server: reach.https || reach.http, authorityFile: tls?.authorityFile ?? '' },
      token,
    );
    this.#phase = 'serving';
    if (!(await this.#health.isReady())) throw new Error('the server is not ready: see above');
    const { objects } = this.#cluster;
    process.stdout.write(
      `shardplane ready ${addresses.join(' ')} kubeconfig ${kubeconfig} (${objects} objects)\n` +
        `${commands.join('\n')}\n`,
    );
    keepCompiledCode();
  }

  /** Resolves when all types are there, those too that are defined. */
  async #startTypes(): Promise<void> {
    await this.#steps.run(SHARDS_STEPS, this.#cluster.start());
    await this.#cluster.startTypes(this.#steps);
  }

  /** Closing the terminal stops it as the others do. */
  #heedSignals(): void {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => this.#onSignal());
    }
  }

  /** The facts about this server in the objects by which programs find the API. */
  async #published(): Promise<Published> {
    const { authorityFile = '' } = (await this.#certificate) ?? {};
    const trusted = authorityFile === '' ? '' : readFileSync(authorityFile, 'utf8');
    const { tls, authentication } = this.#config;
    const { authorityFile: proxyFile, ...proxies } = authentication.frontProxy;
    const published = publishedAuthentication({
      own: tls.certFile === '' ? trusted : '',
      clients: textOf(tls.clientAuthorityFile, 'the authority of clients'),
      proxies: textOf(proxyFile, 'the authority of proxies'),
      ...proxies,
    });
    return { address: await this.#advertised, authentication: published, trusted };
  }

  async #tls(): Promise<ServedFiles | undefined> {
    const { securePort, tls, authentication } = this.#config;
    if (securePort === 0) return undefined;
    const files =
      tls.certFile === ''
        ? await this.#ownFiles()
        : // Clients are to trust it itself: it may have another signer, or none.
          { certFile: tls.certFile, keyFile: tls.keyFile, authorityFile: tls.certFile };
    const proxyAuthorityFile = authentication.frontProxy.authorityFile;
    const served = { ...tls, ...files, proxyAuthorityFile };
    // The fronts do it for themselves: here it is said what is wrong with the files.
    readTls(served);
    return served;
  }

  async #ownFiles(): Promise<ServingCertificateFiles> {
    const names = certificateNames(this.#config, await this.#advertised);
    return servingCertificate({ dataDir: this.#config.dataDir, names, nowMs: Date.now() });
  }

  #checks(): readonly HealthCheck[] {
    return [
      { name: 'ping', run: () => Promise.resolve() },
      {
        name: 'log',
        run: () =>
          process.stderr.writable
            ? Promise.resolve()
            : Promise.reject(new Error('stderr takes nothing')),
      },
      {
        name: 'etcd',
        run: (path) => (path === 'livez' ? this.#readStore() : this.#cluster.checkStorage()),
      },
      ...(ownRelease().has('readinessOfStore') ? [this.#storeReadiness()] : []),
      { name: 'sequencer', run: () => this.#cluster.checkSequencer() },
      { name: 'shards', notIn: ['livez'], run: () => this.#cluster.checkShards() },
      ...this.#steps.checks,
      {
        name: 'shutdown',
        notIn: ['livez', 'healthz'],
        run: () =>
          this.#phase === 'stopping' ? Promise.reject(new Error('stopping')) : Promise.resolve(),
      },
    ];
  }

  /** Newer releases tell it besides: whether requests may come, and not whether to restart. */
  #storeReadiness(): HealthCheck {
    return {
      name: 'etcd-readiness',
      notIn: ['livez', 'healthz'],
      run: () => this.#cluster.checkStorage(),
    };
  }

  /** The store is there and can be read: what is said without asking who commits. */
  async #readStore(): Promise<void> {
    this.#store.notedLogs();
  }

  /** The first signal stops in order; a second one, or one before it serves, at once. */
  #onSignal(): void {
    if (this.#phase !== 'serving') endNow(1);
    this.#phase = 'stopping';
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
    await this.#store.close();
    this.#folder.release();
    clearTimeout(late);
  }

  /** An actor is gone: nothing it owned can be answered, so the process ends loudly. */
  #crash(actor: string, error: Error): void {
    if (this.#phase === 'starting') fail(error);
    const what = error.stack ?? error.message;
    logError(`the worker thread of the actor ${actor} has ended, and so does the server: ${what}`);
    endNow(2);
  }
}

/** Writes that were answered may be lost by a power cut, and nothing can be done about it. */
function onFlushError({ message }: Error): never {
  logError(`the disk does not take what was written, and the server ends: ${message}`);
  endNow(2);
}

/** Types with records that are to be translated while the server runs. */
function openInOwnDialect(
  store: Store,
  apiDomain: Config['apiDomain'],
  logs: readonly string[],
): readonly string[] {
  // Logs of types that are not served now are translated when they are again.
  const running = [...logs, ...store.customLogs()];
  const all = new Set([...running, ...store.notedLogs()]);
  const found = openInDialect(store.shared, apiDomain, [...all]);
  const untranslated = found.filter((type) => running.includes(type));
  if (untranslated.length > 0) {
    logInfo(`translating the data folder to the names of ${apiDomain}`);
  }
  return untranslated;
}

function startSteps({ controllers, release, featureGates }: Config): StartSteps {
  const ofTypes = beginning(controllers, 'withTypes');
  const others = [...controllers].filter((name) => !ofTypes.includes(name));
  const steps = [
    ...SHARDS_STEPS,
    ...ofTypes.flatMap(controllerSteps),
    TYPES_STEP,
    ...FOLLOWED_STEPS,
    ...others.flatMap(controllerSteps),
  ];
  return new StartSteps(stepsIn(steps, release, featureGates), {
    [INFORMER_SYNC]: ['livez', 'healthz'],
  });
}

/** '' where the option names no file. */
function textOf(file: string, what: string): string {
  return file === '' ? '' : readOption(file, what);
}

/** Serves until a signal ends the process. Rejects when the server cannot start. */
export async function serve(given: Config): Promise<void> {
  chooseLog(given.observability.log);
  const config = await withBoundAddress(given);
  const { plugins, settings, settingsFile } = config.admission;
  const read = await readPluginSettings(settingsFile, plugins, PLUGINS);
  const admission = { plugins, settings: { ...settings, ...read } };
  const audit = config.audit && auditSettings(config.audit, logInfo);
  const gates = config.featureGates;
  const { file } = config.authorization;
  const decides = file === '' ? undefined : await readConfigurationFile(file, gates);
  const authorization = decides === undefined ? config.authorization : { file, ...decides };
  const knows = await readAuthenticationFile(config.authentication, gates);
  const authentication = knows?.read.config ?? config.authentication;
  const server = new Server({ ...config, authentication, authorization }, admission, audit);
  await Promise.all(plugins.map(async (name) => PLUGINS[name]?.atStart?.()));
  await server.start();
  if (!ownRelease().has('configurationReloads')) return;
  const reload = { serverId: server.id, tell: logInfo, logError };
  knows?.follow({ ...knows.read, ...reload });
  if (decides !== undefined) reloadConfiguration({ file, read: decides, gates, ...reload });
}
