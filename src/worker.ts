/**
 * The entry of a worker thread: chooses the dialect, and only then loads the actors, whose modules
 * take their names from it (src/semantics/dialect/README.md#own-names). Other threads do jobs.
 */
import { endOfActor } from './actors/actor-error.ts';
import type { ActorTask } from './actors/actor-pool.ts';
import type { ReadYaml, YamlJob } from './codec/read-yaml.ts';
import type { ActorInit } from './cluster/run-actor.ts';
import { chooseDialect } from './semantics/dialect/own-names.ts';

/** Runs an actor until it has stopped, or cannot start or go on. */
export default function startActor(task: ActorTask): ReturnType<typeof endOfActor> {
  return endOfActor(loadAndRun(task));
}

async function loadAndRun(task: ActorTask): Promise<void> {
  const { apiDomain } = task.init as ActorInit;
  chooseDialect(apiDomain);
  const { runActor } = await import('./cluster/run-actor.ts');
  await runActor(task);
}

/** A job: long YAML is read where nobody waits for it. */
export async function readYaml(job: YamlJob): Promise<ReadYaml | undefined> {
  const { readYaml: read } = await import('./codec/read-yaml.ts');
  return read(job);
}
