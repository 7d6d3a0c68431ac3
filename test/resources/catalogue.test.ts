/**
 * The rows of `test/catalogue` on the kinds' own code: codec, defaults, preparation, validation.
 * With arguments (`apps/deployment`) only those files.
 */
import t from 'tap';
import { allCatalogueFiles } from '../support/catalogue.ts';
import { runCatalogue } from '../support/run-catalogue.ts';

runCatalogue(t, await allCatalogueFiles(process.argv.slice(2)));
