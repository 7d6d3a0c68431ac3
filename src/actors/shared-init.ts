import { workerData } from 'node:worker_threads';

/** Gives what the pool of this thread passes to all its actors: `ActorPoolOptions.shared`. */
export function sharedInit(): object {
  return (workerData as object | null) ?? {};
}
