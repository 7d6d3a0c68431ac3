import t from 'tap';
import { chooseLog, logError, writeLog } from '../../../src/observability/log/log.ts';

function linesOf(work: () => void): string {
  let written = '';
  const { write } = process.stderr;
  process.stderr.write = (text: string | Uint8Array): boolean => {
    written += String(text);
    return true;
  };
  try {
    work();
  } finally {
    process.stderr.write = write;
  }
  return written;
}

t.test('a line is text for people', async (t) => {
  const members = { code: 200 };
  t.equal(
    linesOf(() => logError('it is broken')),
    'shardplane: it is broken\n',
  );
  t.equal(
    linesOf(() => writeLog('info', 'all is well', { actor: 'pods', members })),
    'shardplane pods: all is well\n',
  );
});

t.test('what others have written cannot look like a line of the server', async (t) => {
  const forged = 'the webhook says "no\nshardplane: all is well\r\n\u001b[2J\u0085"';
  t.equal(
    linesOf(() => logError(forged)),
    'shardplane: the webhook says "no\n    shardplane: all is well\n    \\u001b[2J\\u0085"\n',
  );
  const stack = 'Error: x\n    at a\n    at b';
  t.equal(
    linesOf(() => logError(stack)),
    `shardplane: ${stack}\n`,
  );
});

t.test('or a document for programs', async (t) => {
  chooseLog({ format: 'json' });
  t.teardown(() => chooseLog({ format: 'text' }));
  const members = { code: 200, text: 'a\nb' };
  const line = linesOf(() => writeLog('info', 'all\nis well', { actor: 'pods', members }));
  t.match(line, /^[^\n]*\n$/);
  const { ts, ...rest } = JSON.parse(line);
  t.type(ts, 'number');
  t.same(rest, { level: 'info', actor: 'pods', msg: 'all\nis well', ...members });
  t.match(JSON.parse(linesOf(() => logError('x'))), { level: 'error', msg: 'x' });
});
