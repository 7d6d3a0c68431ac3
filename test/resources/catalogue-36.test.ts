// The rows of `test/catalogue` that hold for 1.36 alone, on the kinds' own code.
import t from 'tap';
import { chooseRelease } from '../../src/release/release.ts';

const MINOR = 36;
chooseRelease(MINOR);
const { catalogueFilesOf } = await import('../support/catalogue.ts');
const { runCatalogue } = await import('../support/run-catalogue.ts');
runCatalogue(t, await catalogueFilesOf(MINOR, process.argv.slice(2)));
