/** How far back the history of ConfigMaps reaches, as a client finds it out. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CONFIG_MAPS } from './kinds.ts';
import type { Server } from './server.ts';

const POLL_MS = 50;

/** The version at which history begins, if that is above `version`. */
export async function horizonAbove(server: Server, version: number): Promise<number | undefined> {
  const watch = await server.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version}`);
  try {
    if (watch.status === 200) return undefined;
    await watch.end();
    const text = watch.events.map(({ raw }) => raw).join('') + watch.rest;
    const [, horizon] = /too old resource version: \d+ \((\d+)\)/.exec(text) ?? [];
    if (watch.status !== 410 || horizon === undefined) throw new Error(`watch: ${text}`);
    return Number(horizon);
  } finally {
    watch.close();
  }
}

/** Waits until history at `version` is gone; gives the version at which it begins then. */
export async function forgotten(server: Server, version: number): Promise<number> {
  for (;;) {
    const horizon = await horizonAbove(server, version);
    if (horizon !== undefined) return horizon;
    await sleep(POLL_MS);
  }
}
