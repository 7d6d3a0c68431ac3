/** The files of `test/catalogue` whose objects are sent to servers of the release. */
import { DEFAULT_RELEASE, ownRelease } from '../../src/release/release.ts';
import {
  catalogueFiles,
  everyCatalogueFile,
  type CatalogueFile,
} from '../../test/support/catalogue.ts';
import { SERVED_ROWS } from '../../test/support/served-rows.ts';

/**
 * Those that hold for the default release and for a server without features; of another release all
 * whose version it has, its own ones first. What each says of answers does not matter: the other
 * server says that.
 */
export async function comparedFiles(): Promise<CatalogueFile[]> {
  const { minor } = ownRelease();
  if (minor === DEFAULT_RELEASE.minor) return catalogueFiles();
  const served = new Set(SERVED_ROWS.map(([groupVersion, , kind]) => `${groupVersion} ${kind}`));
  const files = (await everyCatalogueFile()).filter(({ cases }) => {
    return served.has(`${cases.apiVersion} ${cases.kind}`);
  });
  const isOwn = ({ cases }: CatalogueFile): boolean => cases.release === minor;
  return [...files.filter(isOwn), ...files.filter((file) => !isOwn(file))];
}
