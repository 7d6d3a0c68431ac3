/**
 * Runs `npm start`, `npm test`, `npm run check` and `npm run bench`. This first file must parse
 * on old versions of Node, so that they get a clear line and not a syntax error: no top-level
 * await, nothing newer than Node 14 here. All the work is in `launcher.mjs`.
 */
const oldestMajor = 18;

if (Number(process.versions.node.split('.')[0]) < oldestMajor) {
  console.error(
    `shardplane needs Node ${oldestMajor} or newer to set itself up, and this is Node ` +
      `${process.versions.node}: install a newer one from https://nodejs.org and run this again.`,
  );
  process.exitCode = 1;
} else {
  import('./launcher.mjs')
    .then(({ launch }) => launch(process.argv[2], process.argv.slice(3)))
    .then((code) => {
      process.exitCode = code;
    })
    .catch((error) => {
      console.error(error && error.name === 'SetUpError' ? error.message : error);
      process.exitCode = 1;
    });
}
