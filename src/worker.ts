/**
 * The entry of a worker thread: chooses the dialect and the release, and only then loads the
 * actors, whose modules depend on them (src/semantics/dialect/README.md#own-names). Other threads
 * do jobs.
 */
import { readModel } from './cluster/read-model.ts';
import { keepWhenStarted } from './actors/compiled-code.ts';
import { endOfActor } from './actors/actor-error.ts';
import type { ActorTask } from './actors/actor-pool.ts';
import { sharedInit } from './actors/shared-init.ts';
import type { BackupJob } from './backup/backup-job.ts';
import type { ForkJob } from './snapshots/fork-job.ts';
import { chooseClock } from './base/time/server-clock.ts';
import { nameSourcesInStacks } from './base/source-stacks.ts';
import type { FieldError } from './semantics/errors/field-error.ts';
import type { ReadYaml, YamlJob } from './codec/yaml/read-yaml.ts';
import type { DescriptionJob } from './cluster/describe-api.ts';
import type { ActorInit } from './cluster/run-actor.ts';
import type { FrontInit } from './cluster/run-front.ts';
import type { ConversionJob } from './front/openapi/convert-spec.ts';
import type { PackedDocument } from './front/openapi/document-pack.ts';
import type { MergedSpecs, MergeJob } from './front/openapi/merge-specs.ts';
import { chooseLog } from './observability/log/log.ts';
import { joinedMetrics, joinMetrics } from './observability/metrics/thread-metrics.ts';
import { answerProfiles } from './observability/profiles/profile-channel.ts';
import { reportThreadLoad } from './observability/metrics/thread-load.ts';
import { chooseRelease } from './release/release.ts';
import { chooseDialect } from './semantics/dialect/own-names.ts';

nameSourcesInStacks();

/** Absent in a thread that does jobs. */
const shared = sharedInit() as Partial<ActorInit>;
const program = shared.runs === undefined ? undefined : loadProgram(shared as ActorInit);
// Whoever starts an actor is told.
program?.catch(() => undefined);

type Program = (task: ActorTask) => Promise<void>;

async function loadProgram(init: ActorInit): Promise<Program> {
  chooseDialect(init.apiDomain);
  chooseRelease(init.release);
  chooseLog(init.log);
  if (init.movedClock !== undefined) await followClock(init.movedClock);
  if (init.runs === 'actors') return (await import('./cluster/run-actor.ts')).runActor;
  const { runFront } = await import('./cluster/run-front.ts');
  return (task) => runFront(task.init as FrontInit, task.ports);
}

/** Runs an actor until it has stopped, or cannot start or go on. */
export default function startActor(task: ActorTask): ReturnType<typeof endOfActor> {
  return endOfActor(loadAndRun(task));
}

async function loadAndRun({ actor, init: own, ports }: ActorTask): Promise<void> {
  const init = { ...(shared as ActorInit), ...own };
  const thread = init.runs === 'fronts' ? `front-${(init as FrontInit).number}` : undefined;
  if (joinMetrics(init.metrics, thread)) {
    const { name } = joinedMetrics();
    reportThreadLoad(name);
    answerProfiles(name);
    void keepWhenStarted();
  }
  const run = await program;
  await run?.({ actor, init, ports });
}

/** Only a laboratory loads it. */
async function followClock(time: SharedArrayBuffer): Promise<void> {
  const { MovedClock } = await import('./base/time/moved-clock.ts');
  chooseClock(new MovedClock(time));
}

/** A job: long YAML is read where nobody waits for it. */
export async function readYaml(job: YamlJob): Promise<ReadYaml | undefined> {
  const { readYaml: read } = await import('./codec/yaml/read-yaml.ts');
  return read(job);
}

/** A job: what other servers of the API say of themselves comes into a document. */
export async function mergeSpecs(job: MergeJob): Promise<MergedSpecs> {
  const { mergeSpecs: merge } = await import('./front/openapi/merge-specs.ts');
  return merge(job);
}

/** A job: what another server says of itself in version 2, in version 3. */
export async function convertSpec(job: ConversionJob): Promise<PackedDocument> {
  const { convertSpec: convert } = await import('./front/openapi/convert-spec.ts');
  return convert(job);
}

/** A job: the check of a large definition (src/cluster/definition-job.ts). */
export async function definitionErrors({
  apiDomain,
  release,
  buildDir,
  hasRules,
  members,
}: DefinitionJob): Promise<FieldError[]> {
  chooseDialect(apiDomain);
  chooseRelease(release);
  if (hasRules) {
    const { loadRuleEngine } = await import('./schema/rule-engine.ts');
    await loadRuleEngine();
  }
  const { definitionErrors: find } = await import('./cluster/definition-job.ts');
  return find(members, () => {
    return readModel(buildDir);
  });
}

/** A job: the documents of OpenAPI where other types are served than by default. */
export async function describeApi({
  apiDomain,
  release,
  ...job
}: DescriptionJob): Promise<Uint8Array> {
  chooseDialect(apiDomain);
  chooseRelease(release);
  const { describeApi: describe } = await import('./cluster/describe-api.ts');
  return describe(job);
}

/** A job: a backup of the store. */
export async function makeBackup(job: BackupJob): Promise<void> {
  const { makeBackup: make } = await import('./backup/backup-job.ts');
  await make(job);
}

/** A job: the data folder of a fork. */
export async function makeFork(job: ForkJob): Promise<void> {
  const { makeFork: make } = await import('./snapshots/fork-job.ts');
  await make(job);
}

interface DefinitionJob extends Pick<ActorInit, 'apiDomain' | 'release'> {
  readonly buildDir: string;
  /** Whether the rules of schemas count. */
  readonly hasRules: boolean;
  readonly members: string;
}
