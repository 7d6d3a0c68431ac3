/**
 * Chooses the newest release for this process: to be imported before all that depends on it. Files
 * of tests that do so have a process of their own.
 */
import { chooseRelease, NEWEST_MINOR } from '../../src/release/release.ts';

chooseRelease(NEWEST_MINOR);
