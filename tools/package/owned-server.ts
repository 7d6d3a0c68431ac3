/**
 * A server that lives as long as the process that started it (`start-server.ts`): however that one
 * ends, its end of this standard input is closed. The first argument is the folder to remove then,
 * or '' to end as a server does; the others are the server's.
 */
import { fileURLToPath } from 'node:url';

const [folder = ''] = process.argv.splice(2, 1);
process.stdin.resume().on('close', () => {
  if (folder === '') process.kill(process.pid, 'SIGTERM');
  else removeAndEnd();
});
// Only the server keeps this process alive.
process.stdin.unref();

/** The threads must be gone first: they would write into the folder. */
function removeAndEnd(): void {
  const script = 'fs.rmSync(process.argv[1], { recursive: true, force: true })';
  process.execve?.(process.execPath, [process.execPath, '--eval', script, folder], process.env);
}

await import(fileURLToPath(new URL('../../.build/main.js', import.meta.url)));
