/** The parts of the laboratory: each brings its endpoints. */
import type { LabRoute } from './lab-api.ts';
import { Laboratory } from './laboratory.ts';

export function laboratoryOf(): Laboratory {
  const routes: readonly LabRoute[] = [];
  return new Laboratory(routes);
}
