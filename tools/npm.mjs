import fs from 'node:fs';
import path from 'node:path';
import { runStep } from './child-process.mjs';

/** An error that stops the set-up; the message is a line for the user. */
export class SetUpError extends Error {
  name = 'SetUpError';
}

/** The user's own configuration must not change what is installed, and a dead network ends soon. */
const FLAGS = [
  '--ignore-scripts',
  '--prefer-offline',
  '--no-audit',
  '--no-fund',
  '--no-progress',
  '--no-global',
  '--install-strategy=hoisted',
  '--loglevel=notice',
  '--fetch-timeout=60000',
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=500',
  '--fetch-retry-maxtimeout=4000',
];
const UNREACHABLE_CODES = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ERR_SOCKET_TIMEOUT',
  'ENOTCACHED',
  'E5\\d\\d',
];
const UNREACHABLE = new RegExp(`\\b(${UNREACHABLE_CODES.join('|')})\\b`);

/**
 * Runs npm on the Node `node` for the package in `folder`, its output going to the file `log`.
 * Throws `SetUpError` with one line of what to do where npm fails.
 */
export async function runNpm(args, { node, folder, log }) {
  const output = fs.openSync(log, 'w');
  const npmArgs = [...args, ...FLAGS, `--prefix=${folder}`];
  const options = { cwd: folder, env: environment(node), stdio: ['ignore', output, output] };
  let code;
  try {
    const script = npmScript();
    code =
      script === undefined
        ? await runStep('npm', npmArgs, options)
        : await runStep(node, [script, ...npmArgs], options);
  } catch (error) {
    throw new SetUpError(
      `shardplane needs npm to set itself up, and npm does not run: ${error.message}`,
    );
  } finally {
    fs.closeSync(output);
  }
  if (code !== 0) throw new SetUpError(describeFailure(fs.readFileSync(log, 'utf8'), log));
}

/** The npm that runs this, if one does: under the other Node it stays the same npm. */
function npmScript() {
  const script = process.env.npm_execpath;
  const isNpm = script !== undefined && path.basename(script) === 'npm-cli.js';
  return isNpm && fs.existsSync(script) ? script : undefined;
}

function environment(node) {
  const rest = process.env.PATH ?? '';
  return { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${rest}` };
}

function describeFailure(output, log) {
  if (UNREACHABLE.test(output)) {
    const registry = process.env.npm_config_registry ?? 'the npm registry';
    return (
      `shardplane could not reach ${registry} to set itself up: check the network ` +
      `(or "npm config get registry") and run this again. npm's output: ${log}`
    );
  }
  const reason = /^npm (?:error|ERR!) (?!code )(.+)$/m.exec(output)?.[1] ?? 'npm failed';
  return `shardplane could not be set up: ${reason}. npm's output: ${log}`;
}
