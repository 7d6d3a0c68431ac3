#!/usr/bin/env node
/**
 * The program of the package: the server, or one of the commands beside it. Like
 * `tools/launch.mjs` it must parse on old versions of Node.
 */
const neededMajor = 22;
const neededMinor = 18;
/** How the help of the server calls it. */
const called = process.env.npm_command === 'exec' ? 'npx shardplane' : 'shardplane';

function run() {
  const name = process.argv[2];
  const build = new URL('../../.build/', import.meta.url);
  if (name === undefined || name.startsWith('-')) {
    process.env.SHARDPLANE_CALLED = called;
    return import(new URL('main.js', build).href);
  }
  return import('node:fs').then((fs) => {
    const names = JSON.parse(fs.readFileSync(new URL('commands/names.json', build), 'utf8'));
    if (names.indexOf(name) < 0) {
      console.error(
        `shardplane: there is no command "${name}". Without one the server is started ` +
          `(${called} --help); the others are ${names.join(', ')}.`,
      );
      process.exitCode = 2;
      return undefined;
    }
    process.argv.splice(2, 1);
    return import(new URL(`commands/${name}.js`, build).href);
  });
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major !== neededMajor || minor < neededMinor) {
  console.error(
    `shardplane needs Node ${neededMajor}.${neededMinor} or a later ${neededMajor}, and this is ` +
      `Node ${process.versions.node}: install it from https://nodejs.org and run this again.`,
  );
  process.exitCode = 1;
} else {
  run().catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}
