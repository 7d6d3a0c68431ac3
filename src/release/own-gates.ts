/** The gates of the release of this process that are on where nobody switches any. */
import { defaultGates } from './feature-gates.ts';
import { ownRelease } from './release.ts';

export const DEFAULT_GATES = defaultGates(ownRelease());
