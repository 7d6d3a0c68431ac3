/**
 * A health check for containers: exit code 0 where the server is ready. The first argument is its
 * address, `https://127.0.0.1:6443` if none.
 */
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';

const MILLISECONDS_MAX = 4_000;
const { href, protocol } = new URL('/readyz', process.argv[2] ?? 'https://127.0.0.1:6443');
const get = protocol === 'https:' ? getHttps : getHttp;
// Who it is does not matter: nothing is told to it.
const options = { rejectUnauthorized: false, timeout: MILLISECONDS_MAX, agent: false };

get(href, options, (response) => {
  response.resume();
  process.exitCode = response.statusCode === 200 ? 0 : 1;
})
  .on('timeout', function () {
    this.destroy(new Error('it does not answer'));
  })
  .on('error', (error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
