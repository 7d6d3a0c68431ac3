/** Composition root: store, actors, front; then signals until the end. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { authorizationOf } from './auth/authorization.ts';
import type { Authorizer } from './auth/authorizer.ts';
import { adminKubeconfig, adminToken } from './auth/credentials.ts';
import { ServiceAccountTokens } from './auth/service-account-tokens.ts';
import { servingCertificate } from './auth/serving-certificate.ts';
import type { ServingCertificateFiles } from './auth/serving-certificate.ts';
import { parseTokenFile, TokenAuthenticator } from './auth/token-authenticator.ts';
import { assert } from './base/assert.ts';
import { CustomTypes } from './cluster/custom-types.ts';
import { TypeCatalog } from './types/type-catalog.ts';
import { Cluster } from './cluster/cluster.ts';
import { controllerStep } from './controllers/registry.ts';
import type { SchemaModel } from './codec/schema-model.ts';
import { ConfigError } from './config/config-error.ts';
import type { Config } from './config/config.ts';
import { openDataFolder } from './data-folder.ts';
import type { DataFolder } from './data-folder.ts';
import { fail } from './fail.ts';
import { noteTranslated, openInDialect, translatedLine } from './folder-dialect.ts';
import { ApiDocuments } from './front/api-documents.ts';
import { firstCommands } from './front/first-commands.ts';
import type { Front } from './front/front.ts';
import type { ServedApi } from './front/stages/stage.ts';
import type { Tls } from './front/sessions/switches.ts';
import { Health } from './front/health.ts';
import type { HealthCheck } from './front/health.ts';
import type { DocumentMessages } from './front/openapi/binary-document.ts';
import { Router } from './front/route.ts';
import { StartSteps } from './front/start-steps.ts';
import type { BuildOrigin } from './front/version.ts';
import { REQUEST_HEADERS_BYTES_MAX } from './limits.ts';
import { LazyOperationCodecs } from './operation-codecs.ts';
import { KINDS, resourceKey } from './resources/registry.ts';
import { enabledTypes } from './types/runtime-config.ts';
import { servedTypes, shardKey } from './types/served-types.ts';
import type { ServedType } from './types/served-types.ts';
import { lazyStatusCodec } from './resources/status-document.ts';
import { VIRTUAL_KINDS } from './resources/virtual-kinds.ts';
import {
  advertisedAddress,
  certificateNames,
  listenAddresses,
  reachOf,
  serverUrl,
} from './server-addresses.ts';
import { checkLmdbStore, openLmdbStore } from './storage/lmdb-store.ts';
import type { Store } from './storage/store.ts';
import { programVersion } from './version.ts';

const BUILD_DIR = dirname(fileURLToPath(import.meta.url));

/** The steps of a start before its controllers. */
const SHARDS_STEP = 'poststarthook/start-shards';
const TYPES_STEP = 'autoregister-completion';

function log(text: string): void {
  process.stderr.write(`shardplane: ${text}\n`);
}

class Server {
  readonly #config: Config;
  readonly #folder: DataFolder;
  readonly #store: Store;
  readonly #cluster: Cluster;
  readonly #types: CustomTypes;
  readonly #steps: StartSteps;
  readonly #advertised: Promise<string>;
  #certificate: Promise<ServingCertificateFiles | undefined> | undefined;
  #front: Front | undefined;
  #apiOf: ((catalog: TypeCatalog) => ServedApi) | undefined;
  #phase: 'starting' | 'serving' | 'stopping' = 'starting';

  constructor(config: Config) {
    this.#config = config;
    const controllers = Array.from(config.controllers, controllerStep);
    this.#steps = new StartSteps([SHARDS_STEP, TYPES_STEP, ...controllers]);
    this.#advertised = advertisedAddress(config);
    this.#folder = openDataFolder(config.dataDir);
    checkLmdbStore(config.dataDir);
    this.#store = openLmdbStore(config.dataDir, config.durability);
    this.#types = new CustomTypes({
      cluster: () => this.#cluster,
      store: this.#store,
      catalog: new TypeCatalog(enabledTypes(servedTypes(KINDS), config.runtimeConfig, log)),
      onCatalog: (catalog) => this.#onCatalog(catalog),
      onLogDropped: (name) => {
        const records = noteTranslated(this.#store, name, 0);
        if (records !== undefined) log(translatedLine(config.apiDomain, records));
      },
      logError: (text) => log(`types: ${text}`),
    });
    this.#cluster = new Cluster({
      config,
      buildDir: BUILD_DIR,
      untranslated: openInOwnDialect(this.#store, config.apiDomain),
      published: () => this.#published(),
      onCrash: (actor, error) => this.#crash(actor, error),
      typeHandlers: this.#types.handlers,
    });
  }

  async start(): Promise<void> {
    this.#heedSignals();
    const { dataDir, bindAddress, apiDomain } = this.#config;
    const staticTokens = authenticatorOf(this.#config);
    const tokens = ServiceAccountTokens.load(dataDir);
    // None of these needs another: the slowest decides how long a start takes.
    const [tls, { Front }] = await Promise.all([
      (this.#certificate = this.#tls()),
      importFront(),
      this.#steps.run(SHARDS_STEP, this.#cluster.start()),
    ]);
    this.#store.noteLogs(KINDS.map(resourceKey));
    const health = this.#health();
    const addresses = listenAddresses(this.#config);
    const reach = reachOf(
      this.#config,
      this.#config.tls.certFile === '' ? (tls?.authorityFile ?? '') : '',
    );
    const commands = firstCommands(reach);
    const description = {
      virtualKinds: VIRTUAL_KINDS,
      serverUrl: await serverUrl(this.#config),
      tokens,
      checks: health.checks,
      loadModel,
      loadMessages,
      rootPage: { version: programVersion(), apiDomain, addresses, commands },
      bindAddress,
    };
    let documents = ApiDocuments.of({ types: this.#types.catalog.builtIn, ...description });
    this.#apiOf = ({ types, definitions }) => {
      documents = documents.with(definitions);
      return { router: new Router(types, VIRTUAL_KINDS), documents };
    };
    this.#front = new Front({
      api: this.#apiOf(this.#types.catalog),
      shards: this.#cluster.shards,
      authenticator: {
        authenticate: ({ token }) => {
          if (token === '') return { user: ANONYMOUS };
          const user = staticTokens.authenticate(`Bearer ${token}`);
          return user && { user };
        },
      },
      authorizer: this.#authorizer(),
      tokens,
      codecs: new LazyOperationCodecs(loadModel),
      statusCodec: lazyStatusCodec(loadModel),
      checkStorage: () => this.#cluster.checkStorage(),
      nowMs: Date.now,
      health,
      origin: readBuilt<BuildOrigin>('origin.json'),
    });
    await this.#steps.run(TYPES_STEP, this.#checkTypes(this.#types.catalog.types));
    await this.#listen(this.#front, tls);
    await this.#cluster.startControllers(this.#steps);
    const kubeconfig = adminKubeconfig(
      { dataDir, server: reach.https || reach.http, authorityFile: tls?.authorityFile ?? '' },
      adminToken(dataDir),
    );
    this.#phase = 'serving';
    if (!(await health.isReady())) throw new Error('the server is not ready: see above');
    const { objects } = this.#cluster;
    process.stdout.write(
      `shardplane ready ${addresses.join(' ')} kubeconfig ${kubeconfig} (${objects} objects)\n` +
        `${commands.join('\n')}\n`,
    );
  }

  /** Closing the terminal stops it as the others do. */
  #heedSignals(): void {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => this.#onSignal());
    }
  }

  #authorizer(): Authorizer {
    const authorizer = authorizationOf(this.#config.authorization, {
      follow: (resource, index) => this.#cluster.follow(resource, index),
    });
    return {
      authorize: (access) => {
        const { user, isResource, path, resource } = access;
        const isPublic = /^\/(livez|readyz|healthz|version)/.test(path);
        const isBasic = isResource
          ? resource.startsWith('selfsubject')
          : /^\/($|api|openapi|version|livez|readyz|healthz)/.test(path);
        const isAllowed = user === ANONYMOUS ? isPublic : isBasic;
        return isAllowed ? { verdict: 'allow', reason: '' } : authorizer.authorize(access);
      },
      rulesFor: (user, namespace) => authorizer.rulesFor(user, namespace),
    };
  }

  /** A type has come, changed or gone. */
  #onCatalog(catalog: TypeCatalog): void {
    if (this.#front !== undefined && this.#apiOf !== undefined) {
      this.#front.swap(this.#apiOf(catalog));
    }
  }

  /** What the objects by which programs find the API say of this server. */
  async #published(): Promise<{ readonly address: string; readonly authority: string }> {
    const { authorityFile = '' } = (await this.#certificate) ?? {};
    const isOwn = authorityFile !== '' && this.#config.tls.certFile === '';
    const authority = isOwn ? readFileSync(authorityFile, 'utf8') : '';
    return { address: await this.#advertised, authority };
  }

  async #listen(front: Front, tls: Tls | undefined): Promise<void> {
    const { bindAddress, port, securePort } = this.#config;
    const asked = this.#config.sessionPort;
    const sessionPort = asked === 'auto' ? 0 : asked || undefined;
    // A number that was given is for HTTPS where there is HTTPS.
    const plainSessionPort = tls === undefined || sessionPort === undefined ? sessionPort : 0;
    if (port !== 0) await front.listen(bindAddress, port, { sessionPort: plainSessionPort });
    if (tls !== undefined) await front.listen(bindAddress, securePort, { tls, sessionPort });
  }

  async #tls(): Promise<ServingCertificateFiles | undefined> {
    const { securePort, dataDir } = this.#config;
    const { certFile, keyFile } = this.#config.tls;
    if (securePort === 0) return undefined;
    if (certFile === '') {
      const names = certificateNames(this.#config, await this.#advertised);
      return servingCertificate({ dataDir, names, nowMs: Date.now() });
    }
    const cert = readOption(certFile, 'the certificate');
    const key = readOption(keyFile, 'the private key');
    checkPem(() => new X509Certificate(cert), `${certFile} is no certificate`);
    checkPem(() => createPrivateKey(key), `${keyFile} is no private key`);
    const pair = `${certFile} and ${keyFile} are no certificate and key`;
    checkPem(() => createSecureContext({ cert, key }), pair);
    // Clients are to trust it itself: it may have another signer, or none.
    return { certFile, keyFile, authorityFile: certFile };
  }

  /** Every type that the API names has something that answers for it. */
  async #checkTypes(types: readonly ServedType[]): Promise<void> {
    for (const type of types) {
      const name = shardKey(type);
      assert(this.#cluster.shards.has(name), `no shard of ${name}`);
    }
  }

  #health(): Health {
    const cluster = this.#cluster;
    const checks: HealthCheck[] = [
      { name: 'ping', run: () => Promise.resolve() },
      {
        name: 'log',
        run: () =>
          process.stderr.writable
            ? Promise.resolve()
            : Promise.reject(new Error('stderr takes nothing')),
      },
      { name: 'etcd', notIn: ['livez'], run: () => cluster.checkStorage() },
      { name: 'sequencer', run: () => cluster.checkSequencer() },
      { name: 'shards', notIn: ['livez'], run: () => cluster.checkShards() },
      ...this.#steps.checks,
      {
        name: 'shutdown',
        notIn: ['livez', 'healthz'],
        run: () =>
          this.#phase === 'stopping' ? Promise.reject(new Error('stopping')) : Promise.resolve(),
      },
    ];
    const livezGraceUntilMs = Date.now() + this.#config.livezGraceMs;
    return new Health({ checks, livezGraceUntilMs, nowMs: Date.now, logError: log });
  }

  /** The first signal stops in order; a second one, or one before it serves, at once. */
  #onSignal(): void {
    if (this.#phase !== 'serving') process.exit(1);
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
      log('stopped with requests unanswered: --shutdown-timeout is over');
      process.exit(1);
    }, shutdownTimeoutMs);
    this.#front?.stopListening();
    await this.#front?.finish();
    await this.#cluster.stop();
    this.#front?.close();
    await this.#store.close();
    this.#folder.release();
    clearTimeout(late);
  }

  /** An actor is gone: nothing it owned can be answered, so the process ends loudly. */
  #crash(actor: string, error: Error): void {
    if (this.#phase === 'starting') fail(error);
    const what = error.stack ?? error.message;
    log(`the worker thread of the actor ${actor} has ended, and so does the server: ${what}`);
    process.exit(2);
  }
}

const ANONYMOUS = { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'] };
function loadModel(): SchemaModel {
  return readBuilt<SchemaModel>('schema.json');
}

/** What the build has made beside the program. */
function readBuilt<T>(file: string): T {
  return JSON.parse(readFileSync(join(BUILD_DIR, file), 'utf8')) as T;
}

function loadMessages(): DocumentMessages {
  return JSON.parse(
    readFileSync(join(BUILD_DIR, 'openapi-messages.json'), 'utf8'),
  ) as DocumentMessages;
}

async function importFront(): Promise<typeof import('./front/front.ts')> {
  // Read by the library when it is loaded.
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(REQUEST_HEADERS_BYTES_MAX);
  return import('./front/front.ts');
}

/** Types with records that are to be translated while the server runs. */
function openInOwnDialect(store: Store, apiDomain: Config['apiDomain']): readonly string[] {
  const untranslated = openInDialect(store, apiDomain, [
    ...KINDS.map(resourceKey),
    ...store.customLogs(),
  ]);
  if (untranslated.length > 0) {
    log(`translating the data folder to the names of ${apiDomain}`);
  }
  return untranslated;
}

function readOption(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`cannot read ${what} ${file}: ${(error as Error).message}`);
  }
}

/** Throws ConfigError where `parse` throws; `problem` names the file. */
function checkPem(parse: () => unknown, problem: string): void {
  try {
    parse();
  } catch (error) {
    throw new ConfigError(`${problem} (PEM): ${(error as Error).message}`);
  }
}

function authenticatorOf({
  dataDir,
  authentication: { tokenAuthFile },
}: Config): TokenAuthenticator {
  const authenticator = new TokenAuthenticator();
  if (tokenAuthFile !== '') {
    const users = parseTokenFile(readOption(tokenAuthFile, 'the token file'));
    for (const [token, user] of users) authenticator.add(token, user);
  }
  const admin = { name: 'admin', uid: 'admin', groups: ['system:masters'] };
  authenticator.add(adminToken(dataDir), admin);
  return authenticator;
}

/** Serves until a signal ends the process. Rejects when the server cannot start. */
export async function serve(config: Config): Promise<void> {
  await new Server(config).start();
}
