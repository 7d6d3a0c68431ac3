/**
 * `npm run check:access`: asks a reference of the oldest or newest release for all decisions of the
 * access matrix (test/support/README.md), and tells which are not as they are written down.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  accessCells,
  CELL_OBJECTS,
  WIDGET_DEFINITION,
  WIDGET_PATH,
} from '../../test/support/access-cells.ts';
import type { AccessCell } from '../../test/support/access-cells.ts';
import * as oldest from '../../test/support/access-decisions.ts';
import * as newest from '../../test/support/access-decisions-newest.ts';
import {
  IDENTITIES,
  MATRIX_OBJECTS,
  matrixRequests,
  requestText,
  reviewSpec,
} from '../../test/support/access-matrix.ts';
import type { Identity } from '../../test/support/access-matrix.ts';
import { decisionBits, decisionText } from '../../test/support/decision-bits.ts';
import { NEWEST_MINOR, OLDEST_MINOR, releaseName } from '../../src/release/release.ts';
import { OptionsError, parseOptions } from '../flags.ts';
import { ApiClient } from './api-client.ts';

/** Where the decisions of a release are written down. */
const WRITTEN = [
  { minor: OLDEST_MINOR, file: 'access-decisions.ts', decisions: oldest },
  { minor: NEWEST_MINOR, file: 'access-decisions-newest.ts', decisions: newest },
];
const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const CLUSTER_ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
/** Those that a controller of another process puts together of others. */
const AGGREGATED = ['view', 'edit', 'admin'];
const FORBIDDEN = 403;
/** Long enough for a server to have seen what was written. */
const SEEN_MS = 2_000;
const TRIES_MAX = 15;
const EXIT_OF_USAGE = 2;

const RELEASES = WRITTEN.map(({ minor }) => releaseName(minor)).join(' or ');

const FLAGS = {
  server: {
    value: 'URL',
    help: 'a reference that nobody has used, with --authorization-mode Node,RBAC',
  },
  token: { value: 'TOKEN', help: 'of an administrator there' },
  release: { value: 'RELEASE', help: `of the reference: ${RELEASES} (default the first)` },
  write: { value: '', help: 'write down what it decides' },
} as const;

function helpText(): string {
  const lines = Object.entries(FLAGS).map(
    ([name, { value, help }]) => `  --${`${name} ${value}`.padEnd(16)}${help}`,
  );
  const usage =
    'Usage: npm run check:access -- --server URL --token TOKEN [--release RELEASE] [--write]';
  return `${usage}\n\n${lines.join('\n')}\n`;
}

type Decisions = Record<string, string>;

class Reference {
  readonly #client: ApiClient;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** Makes all that decides, and that is asked for. */
  async prepare(): Promise<void> {
    await this.#make(WIDGET_DEFINITION);
    for (let tries = 0; (await this.#client.get(WIDGET_PATH)).status !== 200; tries++) {
      if (tries === TRIES_MAX) throw new OptionsError(`${WIDGET_PATH} is not served`);
      await sleep(SEEN_MS);
    }
    for (const object of [...MATRIX_OBJECTS, ...CELL_OBJECTS]) await this.#make(object);
    for (const name of AGGREGATED) await this.#aggregate(name);
    await sleep(SEEN_MS);
  }

  async review(identity: Identity): Promise<boolean[]> {
    const decided: boolean[] = [];
    for (const request of matrixRequests()) {
      const body = JSON.stringify({ spec: reviewSpec(identity, request) });
      const { status, json, text } = await this.#client.ask({
        method: 'POST',
        path: REVIEWS,
        body,
      });
      if (status !== 201) throw new Error(`${requestText(request)}: ${text}`);
      decided.push(json.status.allowed === true);
    }
    return decided;
  }

  async decide(identity: Identity): Promise<boolean[]> {
    const decided: boolean[] = [];
    for (const cell of accessCells()) decided.push(await this.#isAllowed(cell, identity));
    return decided;
  }

  async #isAllowed(cell: AccessCell, { user, groups }: Identity): Promise<boolean> {
    const { method, path, type: contentType, body, made, isWatch } = cell;
    const headers = { 'impersonate-user': user, 'impersonate-group': groups };
    const { status, text } = await this.#client.ask({
      method,
      path,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body), contentType }),
      ...(isWatch && { isEndless: true }),
    });
    if (status === 0 || status >= 500) throw new Error(`${cell.what} by ${user}: ${text}`);
    if (made !== undefined && status === 201) {
      await this.#client.ask({ method: 'DELETE', path: made });
    }
    return status !== FORBIDDEN;
  }

  async #make({ path, object }: { readonly path: string; readonly object: object }): Promise<void> {
    const body = JSON.stringify(object);
    const { status, text } = await this.#client.ask({ method: 'POST', path, body });
    if (status !== 201) throw new OptionsError(`POST ${path} is answered ${status}: ${text}`);
  }

  /** Aggregates as the controller of such roles would. */
  async #aggregate(name: string): Promise<void> {
    const path = `${CLUSTER_ROLES}/${name}`;
    const { json: role } = await this.#client.get(path);
    const rules: unknown[] = [];
    for (const { matchLabels } of role.aggregationRule.clusterRoleSelectors) {
      const selector = Object.entries(matchLabels).map(
        ([key, value]) => `${key}=${value as string}`,
      );
      const query = `labelSelector=${encodeURIComponent(selector.join(','))}`;
      const { json: list } = await this.#client.get(`${CLUSTER_ROLES}?${query}`);
      for (const part of list.items) rules.push(...part.rules);
    }
    const body = JSON.stringify({ ...role, rules });
    const { status, text } = await this.#client.ask({ method: 'PUT', path, body });
    if (status !== 200) throw new Error(`PUT ${path}: ${text}`);
  }
}

/** Tells the differences, a line each. */
function differences(what: string, decided: boolean[], noted: string, texts: string[]): string[] {
  const before = decisionBits(noted, texts.length);
  return texts.flatMap((text, at) => {
    if (decided[at] === before[at] && noted !== '') return [];
    return [`${what} ${decided[at] === true ? 'may' : 'may not'} ${text}`];
  });
}

/** The file with these in the place of what it has. */
function withDecisions(text: string, name: string, decisions: Decisions): string {
  const rows = Object.entries(decisions).map(([what, bits]) => `  ${what}: '${bits}',\n`);
  const before = new RegExp(`(export const ${name}\\b[^{]*\\{)[^}]*\\}`);
  return text.replace(before, (_, head: string) => `${head}\n${rows.join('')}}`);
}

function write(name: string, reviews: Decisions, cells: Decisions): void {
  const file = join(import.meta.dirname, '../../test/support', name);
  const text = withDecisions(readFileSync(file, 'utf8'), 'MATRIX_DECISIONS', reviews);
  writeFileSync(file, withDecisions(text, 'CELL_DECISIONS', cells));
}

async function main(): Promise<number> {
  const given = parseOptions(FLAGS, process.argv.slice(2));
  if (given['help'] === true) {
    process.stdout.write(helpText());
    return 0;
  }
  const { server, token, write: isWritten = false } = given;
  if (typeof server !== 'string' || typeof token !== 'string') {
    throw new OptionsError('--server and --token are needed. See --help for the options');
  }
  const { release = releaseName(OLDEST_MINOR) } = given;
  const written = WRITTEN.find(({ minor }) => releaseName(minor) === release);
  if (written === undefined) throw new OptionsError(`--release is ${RELEASES}`);
  const { CELL_DECISIONS, MATRIX_DECISIONS } = written.decisions;
  const client = new ApiClient(server, token);
  const reference = new Reference(client);
  await reference.prepare();
  const reviews: Decisions = {};
  const cells: Decisions = {};
  const lines: string[] = [];
  const texts = {
    reviews: matrixRequests().map(requestText),
    cells: accessCells().map(({ what }) => what),
  };
  for (const [what, identity] of Object.entries(IDENTITIES)) {
    const [reviewed, decided] = [
      await reference.review(identity),
      await reference.decide(identity),
    ];
    reviews[what] = decisionText(reviewed);
    cells[what] = decisionText(decided);
    lines.push(...differences(what, reviewed, MATRIX_DECISIONS[what] ?? '', texts.reviews));
    lines.push(...differences(what, decided, CELL_DECISIONS[what] ?? '', texts.cells));
  }
  client.close();
  for (const line of lines) process.stdout.write(`${line}\n`);
  const count = Object.keys(IDENTITIES).length * (texts.reviews.length + texts.cells.length);
  process.stdout.write(
    `${count} decisions, ${lines.length} of them not as they are written down\n`,
  );
  if (isWritten === true) write(written.file, reviews, cells);
  return lines.length === 0 || isWritten === true ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  process.stderr.write(`check:access: ${error.message}\n`);
  process.exitCode = EXIT_OF_USAGE;
}
