/** Composition root of the thread of a front. */
import { serverNowMs } from '../base/time/server-clock.ts';
import { join } from 'node:path';
import type { ActorTask } from '../actors/actor-pool.ts';
import { JobPool } from '../actors/job-pool.ts';
import { identityHeaders } from '../auth/identity-headers.ts';
import { authenticationOf } from '../auth/authentication/request-authenticator.ts';
import { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import { SYSTEM_TIMERS } from '../base/time/timers.ts';
import type { ReadYaml } from '../codec/yaml/read-yaml.ts';
import type { AdmissionConfig } from '../admission/chain.ts';
import type { Config } from '../config/config.ts';
import { REQUESTS_VERBOSITY, type ObservabilityConfig } from '../config/observability.ts';
import { Aggregator } from '../front/aggregation/aggregator.ts';
import { ApiDocuments } from '../front/documents/api-documents.ts';
import { StoredAccountFacts } from '../front/authentication/stored-account-facts.ts';
import { ALLOWS_NO_ORIGIN } from '../front/requests/browser-pages.ts';
import { ConstrainedImpersonation } from '../front/requests/constrained-impersonation.ts';
import type { PageRules } from '../front/requests/browser-pages.ts';
import { Front } from '../front/front.ts';
import type { ServedApi } from '../front/stages/stage.ts';
import { FrontActor } from '../front/front-actor.ts';
import type { OpenedFront } from '../front/front-actor.ts';
import type { Opening } from '../front/front-protocol.ts';
import { Health } from '../front/documents/health.ts';
import type { HealthCheck } from '../front/documents/health.ts';
import type { Laboratory } from '../front/laboratory/laboratory.ts';
import { LargeBodies } from '../front/requests/large-bodies.ts';
import { YamlBodies } from '../front/requests/yaml-bodies.ts';
import { privateSocket } from '../front/transport/private-socket.ts';
import type { OwnDocument } from '../front/openapi/built-in-documents.ts';
import type { DocumentMessages } from '../front/openapi/binary-document.ts';
import type { PackedDocument } from '../front/openapi/document-pack.ts';
import type { MergedSpecs } from '../front/openapi/merge-specs.ts';
import { RequestLog } from '../front/request-log.ts';
import { Router } from '../front/requests/route.ts';
import { buildLabels } from '../front/documents/version.ts';
import type { BuildOrigin } from '../front/documents/version.ts';
import { Profiles } from '../front/documents/profiles.ts';
import { RequestMetrics } from '../front/metrics/request-metrics.ts';
import { Scrape } from '../front/documents/scrape.ts';
import { zPagePaths, ZPages } from '../front/documents/zpages.ts';
import { Backups } from '../front/documents/backups.ts';
import { PageFiles } from '../front/documents/page-files.ts';
import { Recent } from '../front/documents/recent.ts';
import { Servers } from '../front/documents/servers.ts';
import { Exposition } from '../observability/metrics/exposition.ts';
import { shownMetrics, sliMetrics } from '../observability/metrics/own-metrics.ts';
import {
  featureSamples,
  processSamples,
  STARTED_MS,
} from '../observability/metrics/process-samples.ts';
import { ownRelease } from '../release/release.ts';
import { shareOf } from '../limits.ts';
import { LazyOperationCodecs } from '../operation-codecs.ts';
import { readBuilt } from '../base/built-files.ts';
import { logError, writeLog, type LogMembers } from '../observability/log/log.ts';
import { AnsweredVersions } from '../replicas/answered-versions.ts';
import type { Replicas } from '../replicas/replicas.ts';
import { ShardObjects } from '../replicas/shard-objects.ts';
import { lazyStatusCodec } from '../resources/status-document.ts';
import { enabledApi } from '../types/runtime-config.ts';
import { TypeCatalog } from '../types/type-catalog.ts';
import { frontDecisions, frontProposals, type Decisions } from './front-decisions.ts';
import { frontAudit, type AuditInit } from './front-audit.ts';
import { ClosedFronts } from './closed-fronts.ts';
import { requestGate, type SharedFlow } from './request-gate.ts';
import type { ActorInit } from './run-actor.ts';
import { readModel } from './read-model.ts';

/** The settings that a front is started with, besides those of all actors. */
export interface OwnFrontInit {
  readonly config: Config;
  readonly admission: AdmissionConfig;
  /** Among the fronts: the first does what is done once. */
  readonly number: number;
  /** The health checks of the server, which its main thread runs. */
  readonly checks: readonly Pick<HealthCheck, 'name' | 'notIn'>[];
  readonly livezGraceUntilMs: number;
  /** '' where the server has none. */
  readonly serverId: string;
  /** The changes that were answered, shared by all threads: see `AnsweredVersions`. */
  readonly answered: SharedArrayBuffer;
  /** Absent where nothing is audited. */
  readonly audit: AuditInit | undefined;
  /** Where it counts itself when it has closed: see `ClosedFronts`. */
  readonly closed: SharedArrayBuffer;
  /** What fronts share of flow control. */
  readonly flow: SharedFlow;
  /** Where the build put the schema and the messages. */
  readonly buildDir: string;
}

export interface FrontInit extends ActorInit, OwnFrontInit {}

/** Serves until it is told to stop. */
export async function runFront(init: FrontInit, ports: ActorTask['ports']): Promise<void> {
  const { config, buildDir } = init;
  const { control } = ports;
  if (control === undefined) throw new Error('a front needs a control port');
  const jobs = new JobPool(join(buildDir, 'worker.js'));
  const yamlBodies = new YamlBodies({
    fronts: config.fronts,
    readYaml: (job) => jobs.run('readYaml', job) as Promise<ReadYaml | undefined>,
  });
  const largeBodies = new LargeBodies({
    // One more than can be worked on, so that commits hold nobody up.
    atOnce: shareOf(config.shardThreads + 1, config.fronts),
    fronts: config.fronts,
  });
  const builtIn = enabledApi(config).types;
  let decisions: Decisions | undefined;
  const actor: FrontActor = new FrontActor({
    control,
    fronts: config.fronts,
    catalog: new TypeCatalog(builtIn),
    largeBodies,
    // Another server's changes are not in the cells before they are in its answers.
    answered: config.etcd === undefined ? new AnsweredVersions(init.answered) : undefined,
    proposerOf: frontProposals({ config, buildDir, decisions: () => decisions }),
    logError,
    open: async (opening, catalog) => {
      decisions = await frontDecisions(init, actor);
      return open(init, actor, opening, catalog, { yamlBodies, jobs, decisions });
    },
  });
  process.on('uncaughtException', (error) => actor.fail(error));
  try {
    await actor.run();
    await jobs.stop();
  } finally {
    new ClosedFronts(init.closed).add();
  }
}

function constrainedOf({ featureGates }: Config): ConstrainedImpersonation | undefined {
  return featureGates.has('ConstrainedImpersonation') ? new ConstrainedImpersonation() : undefined;
}

interface FrontParts {
  readonly yamlBodies: YamlBodies;
  readonly jobs: JobPool;
  readonly decisions: Decisions;
}

async function open(
  init: FrontInit,
  actor: FrontActor,
  opening: Opening,
  catalog: TypeCatalog,
  { yamlBodies, jobs, decisions }: FrontParts,
): Promise<OpenedFront> {
  const { replicas, authorizer, admission, loadModel } = decisions;
  const { follow } = replicas;
  const { config, number } = init;
  const tokens = new ServiceAccountTokens(opening.authentication.serviceAccounts.tokens);
  // All fronts read the same files, and ask the same services.
  const logOnce = number === 0 ? logError : () => undefined;
  const requests = new RequestMetrics();
  const aggregator = aggregatorOf(init, actor, replicas, jobs);
  const laboratory = await labOf(init, actor);
  const told = { tokens, catalog, requests, aggregator, own: laboratory?.described };
  const apiOf = described(init, actor, opening, told);
  const audit = await frontAudit(init.audit, config.fronts, loadModel, yamlBodies, logError);
  const front = new Front({
    api: apiOf(catalog),
    shards: actor.shards,
    authenticator: await authenticationOf(opening.authentication, {
      tokens,
      facts: accountFacts(init, actor, replicas),
      nowMs: serverNowMs,
      logError: logOnce,
      countsKeysAs: number === 0 ? init.serverId : undefined,
    }),
    saysWhoAsks: identityHeaders(opening.authentication.frontProxy),
    authorizer,
    constrained: constrainedOf(config),
    admission: admission.chain,
    tokens,
    codecs: new LazyOperationCodecs(loadModel),
    statusCodec: lazyStatusCodec(loadModel),
    logFailure: logError,
    features: config.featureGates,
    nowMs: serverNowMs,
    ...pagesOf(init, actor),
    requests,
    audit,
    laboratory,
    fronts: config.fronts,
    yamlBodies,
    pages: await pageRules(config),
    socketFile: privateSocket(config.dataDir, `front-${number}`),
    logError: logOnce,
    ...requestGate(init, follow, actor),
  });
  await listen(front, init, opening).catch((error: unknown) => {
    front.close();
    throw error;
  });
  const whenInformed = (): Promise<void> => replicas.whenRead();
  return { front, apiOf, audit, whenInformed, close: () => aggregator.close() };
}

function aggregatorOf(
  { config }: FrontInit,
  actor: FrontActor,
  { follow }: Replicas,
  jobs: JobPool,
): Aggregator {
  const clients = new Map<string, ShardObjects>();
  const aggregator = new Aggregator({
    settings: config.aggregation,
    objects: (type) => {
      const client = clients.get(type) ?? new ShardObjects(type, actor.requestPort(type));
      clients.set(type, client);
      return client;
    },
    merge: (job) => jobs.run('mergeSpecs', job) as Promise<MergedSpecs>,
    convert: (job) => jobs.run('convertSpec', job) as Promise<PackedDocument>,
    timers: SYSTEM_TIMERS,
    nowMs: Date.now,
    onChange: () => actor.renew(),
  });
  aggregator.start(follow);
  return aggregator;
}

function accountFacts(
  { config, answered: cells }: FrontInit,
  { shards }: FrontActor,
  { follow }: Replicas,
): StoredAccountFacts {
  const answered = new AnsweredVersions(cells);
  const keepsSecrets = config.featureGates.has('LegacyServiceAccountTokenTracking');
  return new StoredAccountFacts({ shards, follow, answered, keepsSecrets, nowMs: Date.now });
}

/** Makes the routes of a catalog, and the documents that describe it. */
function described(
  { config, checks, buildDir }: FrontInit,
  actor: FrontActor,
  { serverUrl, rootPage }: Opening,
  {
    tokens,
    catalog: { builtIn },
    requests,
    aggregator,
    own,
  }: {
    tokens: ServiceAccountTokens;
    catalog: TypeCatalog;
    requests: RequestMetrics;
    aggregator: Aggregator;
    own: readonly OwnDocument[] | undefined;
  },
): (catalog: TypeCatalog) => ServedApi {
  const { virtualKinds } = enabledApi(config);
  let documents = ApiDocuments.of({
    types: builtIn,
    virtualKinds,
    serverUrl,
    tokens,
    checks,
    loadModel: () => readModel(buildDir),
    loadDocuments: () => actor.documents(),
    loadMessages: () => readBuilt<DocumentMessages>(buildDir, 'openapi-messages.json'),
    own,
    rootPage,
    ownPaths: [
      ...zPagePaths(config.featureGates),
      ...(countsHealth(config) ? ['/metrics/slis'] : []),
    ],
    bindAddress: config.bindAddress,
    page: new PageFiles(buildDir),
  });
  return ({ types, definitions }) => {
    const remote = aggregator.current;
    documents = documents.with(definitions, remote);
    return { router: new Router(types, virtualKinds, requests), documents, remote };
  };
}

function healthOf({ config, checks, livezGraceUntilMs }: FrontInit, actor: FrontActor): Health {
  return new Health({
    checks: checks.map((check) => ({ ...check, run: (path) => actor.check(check.name, path) })),
    livezGraceUntilMs,
    nowMs: Date.now,
    logError,
    ...(countsHealth(config) && { seen: (path, outcomes) => actor.healthSeen(path, outcomes) }),
  });
}

/** The pages about the process itself, and the log that one of them shows. */
function pagesOf(init: FrontInit, actor: FrontActor) {
  const { config } = init;
  const origin = readBuilt<BuildOrigin>(init.buildDir, 'origin.json');
  const requestLog = requestLogOf(config.observability);
  return {
    origin,
    health: healthOf(init, actor),
    zPages: zPagesOf(config),
    servers: new Servers(actor),
    checkStorage: () => actor.check('etcd', 'readyz'),
    requestLog,
    recent: new Recent({ requestLog, auditFile: auditFileOf(config) }),
    backups: new Backups(actor),
    scrape: new Scrape(expositionOf(init, origin)),
    sliScrape: countsHealth(config) ? new Scrape(sliExpositionOf(init, origin)) : undefined,
    profiles: profilesOf(init),
  };
}

/** '' where audit events go to no file. */
function auditFileOf({ audit }: Config): string {
  const path = audit?.log?.path ?? '';
  return path === '-' ? '' : path;
}

function zPagesOf({ featureGates: gates, flags }: Config): ZPages {
  return new ZPages({ gates, flags, startedMs: STARTED_MS, nowMs: Date.now });
}

/** Whether the health checks are counted, to be scraped on their own. */
function countsHealth({ featureGates }: Config): boolean {
  return ownRelease().has('countedHealthChecks') || featureGates.has('ComponentSLIs');
}

/** Profiles of the threads, by the names that these have in metrics. */
function profilesOf({ metrics, config }: FrontInit): Profiles {
  const { fronts, shardThreads, observability } = config;
  const numbered = (prefix: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  const threads = ['main', ...numbered('front', fronts), ...numbered('worker', shardThreads)];
  return new Profiles({ metrics, threads, isOn: observability.profiling });
}

/** The source of scrapes: the metrics of all threads that are not hidden. */
function expositionOf({ metrics, config }: FrontInit, origin: BuildOrigin): Exposition {
  const build = buildLabels(origin);
  const features = featureSamples(config.featureGates);
  return new Exposition({
    stores: metrics.stores,
    metrics: shownMetrics(config.observability.shownMetrics),
    samples: () => [...processSamples(build), ...features],
  });
}

/** The source of scrapes of what tells how reliable the server is. */
function sliExpositionOf({ metrics }: FrontInit, origin: BuildOrigin): Exposition {
  const build = buildLabels(origin);
  const shown = sliMetrics();
  return new Exposition({
    stores: metrics.stores,
    metrics: shown,
    samples: () => processSamples(build).filter(({ metric }) => Object.hasOwn(shown, metric)),
  });
}

/** Rejects with ListenError. */
async function listen(front: Front, { config, number }: FrontInit, { tls }: Opening) {
  const { bindAddress, port, securePort, sessionPort: asked } = config;
  const isShared = config.fronts > 1;
  const sessionPort = asked === 'auto' ? 0 : asked || undefined;
  // A number that was given is for HTTPS where there is HTTPS, and for one front.
  const plainSessionPort = tls === undefined || sessionPort === undefined ? sessionPort : 0;
  const how = { isShared, hasSessionPort: number === 0 };
  if (port !== 0) await front.listen(bindAddress, port, { ...how, sessionPort: plainSessionPort });
  if (tls !== undefined) await front.listen(bindAddress, securePort, { ...how, tls, sessionPort });
}

/** Loads what it needs only where origins are allowed. */
async function pageRules({ browsers }: Config): Promise<PageRules> {
  const { allowedOrigins: patterns, transportSecurity } = browsers;
  if (patterns.length === 0) return { allowsOrigin: ALLOWS_NO_ORIGIN, transportSecurity };
  const { allowedOrigins } = await import('../front/requests/allowed-origins.ts');
  return { allowsOrigin: allowedOrigins(patterns), transportSecurity };
}

/** Loads it only where there is one. */
async function labOf({ config }: FrontInit, actor: FrontActor): Promise<Laboratory | undefined> {
  if (!config.laboratory.isOn) return undefined;
  const { laboratoryOf } = await import('../front/laboratory/parts.ts');
  const tools = { shards: actor.shards, snapshots: actor.snapshots.bind(actor) };
  return laboratoryOf({ ...tools, dataDir: config.dataDir, nowMs: serverNowMs, logError });
}

/** Undefined where no request is logged. */
function requestLogOf({ slowRequestMs, verbosity }: ObservabilityConfig): RequestLog | undefined {
  const isOfAll = verbosity >= REQUESTS_VERBOSITY;
  if (slowRequestMs === 0 && !isOfAll) return undefined;
  const write = (text: string, members: LogMembers): void => writeLog('info', text, { members });
  return new RequestLog({ slowMs: slowRequestMs, isOfAll, write });
}
