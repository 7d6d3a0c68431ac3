// The rows of `test/catalogue` that hold for kinds that later releases do not have, on their code.
import t from 'tap';
import { chooseRelease } from '../../src/release/release.ts';

const MINOR = 30;
chooseRelease(MINOR);
const { catalogueFilesOf } = await import('../support/catalogue.ts');
const { runCatalogue } = await import('../support/run-catalogue.ts');
runCatalogue(t, await catalogueFilesOf(MINOR, process.argv.slice(2)));
