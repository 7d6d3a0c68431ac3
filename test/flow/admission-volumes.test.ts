/** Volumes, claims and ingresses with the plugins that are on by default. */
import t from 'tap';
import { runRows } from '../support/admission-rows.ts';
import { startServer } from '../support/server.ts';
import { VOLUME_ROWS } from '../support/volume-rows.ts';

t.test('classes and finalizers are set, and claims grow, as in the reference', async (t) => {
  const server = await startServer({ test: t, args: ['--disable-admission-plugins='] });
  await runRows(t, server, VOLUME_ROWS);
});
