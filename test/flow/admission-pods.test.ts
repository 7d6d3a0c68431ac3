/**
 * Admission changes pods, their nodes, classes and limits: the reference has confirmed the rows.
 */
import t from 'tap';
import { LIMIT_ROWS } from '../support/admission-rows/limit-rows.ts';
import { NODE_ROWS, TOLERATION_OPTIONS } from '../support/admission-rows/node-rows.ts';
import { PRIORITY_ROWS } from '../support/admission-rows/priority-rows.ts';
import { memberAt, type AdmissionRow } from '../support/admission-rows/rows.ts';
import { SERVICE_ACCOUNT_ROWS } from '../support/admission-rows/service-account-rows.ts';
import { startServer } from '../support/server.ts';

const ALL = ['--controllers=*', '--disable-admission-plugins='];
const ARGS = ['--durability', 'relaxed', ...ALL, ...TOLERATION_OPTIONS];
const server = await startServer({ test: t, args: ARGS });
const MERGE = { 'content-type': 'application/merge-patch+json' };

const TESTS: Readonly<Record<string, readonly AdmissionRow[]>> = {
  'accounts of pods': SERVICE_ACCOUNT_ROWS,
  priorities: PRIORITY_ROWS,
  'nodes, and pods on them': NODE_ROWS,
  limits: LIMIT_ROWS,
};

for (const [name, rows] of Object.entries(TESTS)) {
  t.test(name, async (t) => {
    for (const { what, method, path, body, status, message, has, lacks = [] } of rows) {
      const headers = method === 'PATCH' ? MERGE : {};
      const answer = await server.request(method, path, body, headers);
      t.equal(answer.status, status, `${what}: ${answer.json.message ?? ''}`);
      if (message !== undefined) t.equal(answer.json.message, message, what);
      if (has !== undefined) t.match(answer.json, has, what);
      const present = lacks.filter((member) => memberAt(answer.json, member) !== undefined);
      t.same(present, [], what);
    }
  });
}

t.end();
