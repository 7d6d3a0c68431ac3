// The rows of `test/catalogue` that hold for the newest release, on the kinds' own code.
import t from 'tap';
import { chooseRelease, NEWEST_MINOR } from '../../src/release/release.ts';

chooseRelease(NEWEST_MINOR);
const { catalogueFilesOf } = await import('../support/catalogue.ts');
const { runCatalogue } = await import('../support/run-catalogue.ts');
runCatalogue(t, await catalogueFilesOf(NEWEST_MINOR, process.argv.slice(2)));
