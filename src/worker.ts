/**
 * The entry of a worker thread: chooses the dialect, and only then loads the actors, whose modules
 * take their names from it (src/semantics/dialect/README.md#own-names). Other threads do jobs.
 */
import { readBuilt } from './base/built-files.ts';
import { keepWhenStarted } from './actors/compiled-code.ts';
import { endOfActor } from './actors/actor-error.ts';
import type { ActorTask } from './actors/actor-pool.ts';
import type { SchemaModel } from './codec/model/schema-model.ts';
import type { FieldError } from './semantics/errors/field-error.ts';
import type { ReadYaml, YamlJob } from './codec/yaml/read-yaml.ts';
import type { DescriptionJob } from './cluster/describe-api.ts';
import type { ActorInit } from './cluster/run-actor.ts';
import type { FrontInit } from './cluster/run-front.ts';
import { FRONT_ACTOR } from './front/front-protocol.ts';
import { chooseLog } from './observability/log/log.ts';
import { joinedMetrics, joinMetrics } from './observability/metrics/thread-metrics.ts';
import { answerProfiles } from './observability/profiles/profile-channel.ts';
import { reportThreadLoad } from './observability/metrics/thread-load.ts';
import { chooseDialect } from './semantics/dialect/own-names.ts';

/** Runs an actor until it has stopped, or cannot start or go on. */
export default function startActor(task: ActorTask): ReturnType<typeof endOfActor> {
  return endOfActor(loadAndRun(task));
}

async function loadAndRun(task: ActorTask): Promise<void> {
  const { apiDomain, metrics, log } = task.init as ActorInit;
  chooseDialect(apiDomain);
  chooseLog(log);
  const isFront = task.actor === FRONT_ACTOR;
  const thread = isFront ? `front-${(task.init as FrontInit).number}` : undefined;
  if (joinMetrics(metrics, thread)) {
    const { name } = joinedMetrics();
    reportThreadLoad(name);
    answerProfiles(name);
    void keepWhenStarted();
  }
  if (isFront) {
    const { runFront } = await import('./cluster/run-front.ts');
    await runFront(task.init as FrontInit, task.ports);
    return;
  }
  const { runActor } = await import('./cluster/run-actor.ts');
  await runActor(task);
}

/** A job: long YAML is read where nobody waits for it. */
export async function readYaml(job: YamlJob): Promise<ReadYaml | undefined> {
  const { readYaml: read } = await import('./codec/yaml/read-yaml.ts');
  return read(job);
}

/** A job: the check of a large definition (src/cluster/definition-job.ts). */
export async function definitionErrors({
  apiDomain,
  buildDir,
  hasRules,
  members,
}: DefinitionJob): Promise<FieldError[]> {
  chooseDialect(apiDomain);
  if (hasRules) {
    const { loadRuleEngine } = await import('./schema/rule-engine.ts');
    await loadRuleEngine();
  }
  const { definitionErrors: find } = await import('./cluster/definition-job.ts');
  return find(members, () => {
    return readBuilt<SchemaModel>(buildDir, 'schema.json');
  });
}

/** A job: the documents of OpenAPI where other types are served than by default. */
export async function describeApi({ apiDomain, ...job }: DescriptionJob): Promise<Uint8Array> {
  chooseDialect(apiDomain);
  const { describeApi: describe } = await import('./cluster/describe-api.ts');
  return describe(job);
}

interface DefinitionJob extends Pick<ActorInit, 'apiDomain'> {
  readonly buildDir: string;
  /** Whether the rules of schemas count. */
  readonly hasRules: boolean;
  readonly members: string;
}
