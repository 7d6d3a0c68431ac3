/** Compares what the server says of itself with what is published with a release. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ACCEPTED } from '../../test/release/accepted-differences.ts';
import { launchServer, type ServerProcess } from '../../test/support/server-process.ts';
import { OptionsError } from '../flags.ts';
import type { Output } from '../output.ts';
import { ApiClient } from '../reference/api-client.ts';
import { documentFacts } from './document-facts.ts';
import { publishedDocuments, servedDocuments, type Ask, type Documents } from './documents.ts';
import { differencesText, factDifferences, type FactDifference } from './fact-differences.ts';
import type { Facts } from './facts.ts';
import { factsTextWith } from './facts-text.ts';
import { resourcesOfDiscovery, resourcesOfPaths } from './implied-resources.ts';
import { helpText, readOptions, type ReleaseOptions } from './options.ts';

const EXIT_OF_DIFFERENCES = 1;
const EXIT_OF_FAILURE = 2;
/** The first release whose documents are made with all betas on too. */
const ALL_BETAS_SINCE = 32;

/** Runs with arguments; returns the exit code. */
export async function runCheckRelease(args: readonly string[], output: Output): Promise<number> {
  try {
    const options = readOptions(args);
    if (options === undefined) {
      output.write(helpText());
      return 0;
    }
    return await run(options, output);
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    output.say(error.message);
    return EXIT_OF_FAILURE;
  }
}

async function run(options: ReleaseOptions, output: Output): Promise<number> {
  const published = publishedDocuments(options.documents);
  if (options.facts !== '') {
    const { facts, minor } = options;
    const before = existsSync(facts) ? readFileSync(facts, 'utf8') : '';
    writeFileSync(facts, factsTextWith(before, minor, documentFacts(published)));
    return 0;
  }
  const own = options.server === '' ? await launchServer({ args: ownArgs(options) }) : undefined;
  try {
    return await compare(options, published, own, output);
  } finally {
    await own?.dispose();
  }
}

/** As each release's script that makes the documents starts its server; enums are told here. */
function ownArgs({ minor }: ReleaseOptions): readonly string[] {
  const gates = ['AllAlpha=true', ...(minor < ALL_BETAS_SINCE ? [] : ['AllBeta=true'])];
  return [
    '--api-domain=k8s.io',
    '--durability=relaxed',
    `--release=1.${minor}`,
    '--runtime-config=api/all=true',
    `--feature-gates=${[...gates, 'OpenAPIEnums=true'].join(',')}`,
  ];
}

async function compare(
  { server, token, minor, all }: ReleaseOptions,
  published: Documents,
  own: ServerProcess | undefined,
  output: Output,
): Promise<number> {
  const url = own === undefined ? server : `http://127.0.0.1:${own.port}`;
  const client = new ApiClient(url, own?.token ?? token);
  try {
    const served = await servedDocuments(asking(client, url), published);
    const differences = documentDifferences(served, published, minor);
    const unexplained = differences.filter(({ reason }) => reason === undefined);
    const shown = differencesText(all ? differences : unexplained);
    if (shown !== '') output.write(`${shown}\n\n`);
    const text = `${differences.length} differences, ${unexplained.length} of them not accepted`;
    output.write(`1.${minor}: ${documentFacts(published).size} facts; ${text}\n`);
    return unexplained.length === 0 ? 0 : EXIT_OF_DIFFERENCES;
  } finally {
    client.close();
  }
}

function asking(client: ApiClient, url: string): Ask {
  return async (path, accept) => {
    const { status, text, json } = await client.ask({ method: 'GET', path, accept });
    if (status === 200) return json;
    if (status === 404 || status === 406) return undefined;
    throw new OptionsError(`${url}${path}: ${status === 0 ? text : status}`);
  };
}

/** Without allowed values where those of the types are not there. */
function documentDifferences(
  served: Documents,
  published: Documents,
  minor: number,
): readonly FactDifference[] {
  const isDiscovered = published.discovery.has('/apis');
  const ours = documentFacts(isDiscovered ? served : { ...served, discovery: new Map() });
  const theirs = documentFacts(published);
  if (published.enums === undefined) {
    for (const facts of [ours, theirs]) dropEnums(facts);
  }
  if (!isDiscovered) {
    for (const [subject, text] of resourcesOfDiscovery(served.discovery)) ours.set(subject, text);
    for (const [subject, text] of resourcesOfPaths(published.v2)) theirs.set(subject, text);
  }
  return factDifferences(ours, theirs, ACCEPTED, minor);
}

function dropEnums(facts: Facts): void {
  for (const [subject, text] of facts) facts.set(subject, text.replace(/ (?:item\.)?enum=\S*/, ''));
}
