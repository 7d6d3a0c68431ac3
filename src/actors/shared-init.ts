import { workerData } from 'node:worker_threads';

/** What the pool of this thread gives to all its actors: `ActorPoolOptions.shared`. */
export function sharedInit(): object {
  return (workerData as object | null) ?? {};
}
