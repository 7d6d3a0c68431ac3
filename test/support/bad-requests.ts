/** Tables of bad requests: each gets its Status within a second and leaves the server unharmed. */
import type { Test } from 'tap';
import { expectFailure, expectUnharmed } from './expect-status.ts';
import type { ExpectedFailure } from './expect-status.ts';
import { CONFIG_MAPS } from './kinds.ts';
import { PATIENCE_MS } from './patience.ts';
import type { RequestHeaders, Server } from './server.ts';

export interface BadRequest {
  readonly name: string;
  /** POST when absent. */
  readonly method?: string;
  /** The ConfigMaps of the default namespace when absent. */
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: RequestHeaders;
  readonly expected: ExpectedFailure;
}

/** Adds one test for each row. */
export function refuses(t: Test, server: Server, rows: readonly BadRequest[]): void {
  for (const { name, method = 'POST', path = CONFIG_MAPS, body, headers, expected } of rows) {
    void t.test(name, async (t) => {
      const answer = await server.request(method, path, body, headers);
      expectFailure(t, answer, expected);
      const milliseconds = Math.round(answer.milliseconds);
      t.ok(milliseconds < PATIENCE_MS, `answered in ${milliseconds} ms`);
      await expectUnharmed(t, server);
    });
  }
}
