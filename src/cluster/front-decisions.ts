/** What a front decides about requests with, and proposes new objects with. */
import { Authorization } from '../auth/authorization.ts';
import type { Authorizer } from '../auth/authorizer.ts';
import { RBAC_TYPES } from '../auth/rbac/rbac-types.ts';
import { assert } from '../base/assert.ts';
import { RANDOMNESS } from '../base/randomness.ts';
import { serverNowMs } from '../base/time/server-clock.ts';
import type { SchemaModel } from '../codec/model/schema-model.ts';
import type { AdmissionConfig } from '../admission/chain.ts';
import type { Config } from '../config/config.ts';
import type { FrontActor } from '../front/front-actor.ts';
import type { Proposer } from '../proposals/proposer.ts';
import { AnsweredVersions, builtInCell } from '../replicas/answered-versions.ts';
import { Replicas } from '../replicas/replicas.ts';
import { logError } from '../observability/log/log.ts';
import { readModel } from './read-model.ts';
import { ThreadAdmission } from './thread-admission.ts';

interface FrontSettings {
  readonly config: Config;
  readonly buildDir: string;
  /** The changes that were answered, shared by all threads. */
  readonly answered: SharedArrayBuffer;
  readonly admission: AdmissionConfig;
}

export interface Decisions {
  readonly replicas: Replicas;
  readonly authorizer: Authorizer;
  readonly admission: ThreadAdmission;
  readonly loadModel: () => SchemaModel;
}

export async function frontDecisions(
  { config, buildDir, answered, admission }: FrontSettings,
  actor: Pick<FrontActor, 'requestPort' | 'fail'>,
): Promise<Decisions> {
  let model: SchemaModel | undefined;
  const loadModel = (): SchemaModel => (model ??= readModel(buildDir));
  const replicas = new Replicas({
    portOf: (resource) => actor.requestPort(resource),
    answered: new AnsweredVersions(answered),
    onFailure: (error) => actor.fail(error),
  });
  const { follow } = replicas;
  const authorizer = (await Authorization.load(config.authorization)).authorizer({ follow });
  const decides = new ThreadAdmission({
    admission,
    follow,
    portTo: (resource) => actor.requestPort(resource),
    authorizer: () => authorizer,
    gates: config.featureGates,
    model: loadModel,
    nowMs: Date.now,
    logError,
  });
  return { replicas, authorizer, admission: decides, loadModel };
}

interface FrontProposals {
  readonly config: Config;
  readonly buildDir: string;
  /** Called when the front is open. */
  readonly decisions: () => Decisions | undefined;
}

/** Only shards decide about roles, and where servers share a store, the shards of its owner. */
const SHARD_ALONE: ReadonlySet<string> = new Set(Object.values(RBAC_TYPES));

/**
 * Gives what loads the proposer of a type (src/proposals/README.md#elsewhere); undefined where its
 * shard alone proposes.
 */
export function frontProposals(
  options: FrontProposals,
): (resource: string) => (() => Promise<Proposer>) | undefined {
  const { etcd } = options.config;
  return (resource) => {
    const isShardAlone = etcd !== undefined || SHARD_ALONE.has(resource);
    if (isShardAlone || builtInCell(resource) === undefined) return undefined;
    return () => loadProposer(options, resource);
  };
}

/** Loads what shards have from their start: most fronts never need it. */
async function loadProposer(
  { config, buildDir, decisions }: FrontProposals,
  resource: string,
): Promise<Proposer> {
  const [{ configuredType, loadSchema }, { Proposer }] = await Promise.all([
    import('./load-type.ts'),
    import('../proposals/proposer.ts'),
  ]);
  const decides = decisions();
  assert(decides !== undefined, 'requests come to a front that is open');
  const { admission, authorizer, loadModel } = decides;
  const kind = configuredType(resource, await loadSchema(buildDir, loadModel()), config);
  const proposer = new Proposer(
    {
      kind,
      admission: admission.chain,
      namespaces: kind.definition.namespaced ? admission.namespaces : undefined,
      authorizer: () => authorizer,
      nowMs: serverNowMs,
      random: RANDOMNESS,
    },
    logError,
  );
  await proposer.whenReady();
  return proposer;
}
