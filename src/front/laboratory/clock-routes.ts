/** The endpoint of the laboratory's clock. */
import { setTimeout as wait } from 'node:timers/promises';
import { MOVED_LOOK_MS, type MovedClock } from '../../base/time/moved-clock.ts';
import { setClock } from '../../laboratory/clock-file.ts';
import { MOVE } from '../../laboratory/schemas.ts';
import { movedBy } from '../../laboratory/moves.ts';
import type { LabAnswer, LabRoute } from './lab-api.ts';

const PATH = 'clock';

export function clockRoutes(dataDir: string, clock: MovedClock): readonly LabRoute[] {
  const shown = (): LabAnswer => ({
    code: 200,
    body: { time: new Date(clock.nowMs()).toISOString(), factor: clock.setting.factor },
  });
  const move: LabRoute['answer'] = async ({ body }) => {
    const { factor } = clock.setting;
    const now = { serverMs: clock.nowMs(), machineMs: Date.now(), factor };
    setClock(dataDir, clock, movedBy(body, now));
    // All threads have looked at what is due now.
    await wait(2 * MOVED_LOOK_MS);
    return shown();
  };
  return [
    { method: 'get', path: PATH, says: 'Tells the time of the server.', answer: shown },
    { method: 'post', path: PATH, says: 'Moves the clock.', takes: MOVE, answer: move },
  ];
}
