/**
 * `/statusz` and `/flagz`: what people look at first where a server does not do well
 * (src/front/README.md#pages-for-people).
 */
import { yamlText } from '../../codec/yaml/yaml-text.ts';
import type { FeatureGates } from '../../release/feature-gates.ts';
import { ownRelease } from '../../release/release.ts';
import { ownGroup } from '../../semantics/dialect/own-names.ts';
import { acceptedTypesAre } from '../../semantics/errors/status.ts';
import { acceptClauses, takesType, type AcceptClause } from '../requests/accept.ts';
import type { Exchange } from '../exchange.ts';

const { has, name: releaseName, version } = ownRelease();
const COMPONENT = 'apiserver';
const OWN_TYPES = ['application/json', 'application/yaml', 'text/plain'];
const TEXT_ONLY = 'media type not acceptable, must be: text/plain\n';
const GROUP = ownGroup('config.cluster.io');
const OLD_VERSION = 'v1alpha1';
const VERSIONS = has('betaPages') ? ['v1beta1', OLD_VERSION] : [OLD_VERSION];
const IS_OLD_DEPRECATED = has('betaPages');
/** One of them is drawn, so that nobody reads the texts by programs. */
const DELIMITERS = [':', ': ', '=', ' '];
const NOT_FOR_PROGRAMS =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting ' +
  'compatibility guarantees and is for debugging purposes only.';
/** The folders that are of the API. */
const API_FOLDERS = ['/apis', '/api', '/openid', '/openapi', '/.well-known'];

interface Page {
  readonly kind: 'Statusz' | 'Flagz';
  text(delimiter: string): string;
  members(): object;
}

export interface ZPagesOptions {
  readonly gates: FeatureGates;
  /** The options that the server was started with, as texts. */
  readonly flags: Readonly<Record<string, string>>;
  readonly startedMs: number;
  readonly nowMs: () => number;
}

/** The paths of those that the release has, with these features on. */
export function zPagePaths(gates: FeatureGates): readonly ZPagePath[] {
  const paths: ZPagePath[] = [];
  if (gates.has('ComponentFlagz')) paths.push('/flagz');
  if (gates.has('ComponentStatusz')) paths.push('/statusz');
  return paths;
}

type ZPagePath = '/flagz' | '/statusz';

export class ZPages {
  readonly #options: ZPagesOptions;
  readonly #paths: readonly ZPagePath[];

  constructor(options: ZPagesOptions) {
    this.#options = options;
    this.#paths = zPagePaths(options.gates);
  }

  /** Answers one of them; false for other paths. `listed` has the paths of the server. */
  serve(exchange: Exchange, path: string, listed: () => readonly string[]): boolean {
    const known = this.#paths.find((one) => one === path);
    if (known === undefined) return false;
    const page =
      known === '/statusz'
        ? new StatusPage(this.#options, foldersOf(listed()))
        : new FlagPage(this.#options.flags);
    if (has('structuredPages')) sendNegotiated(exchange, page);
    else if (acceptClauses(exchange.head.accept).some(isPlainText)) sendText(exchange, page);
    else exchange.sendText(406, TEXT_ONLY);
    return true;
  }
}

class StatusPage implements Page {
  readonly kind = 'Statusz';
  readonly #options: ZPagesOptions;
  readonly #folders: readonly string[];

  constructor(options: ZPagesOptions, folders: readonly string[]) {
    this.#options = options;
    this.#folders = folders;
  }

  text(delimiter: string): string {
    const { startTime, uptimeSeconds: up, goVersion, binaryVersion } = this.members();
    const minutes = String(Math.floor(up / 60) % 60).padStart(2, '0');
    const seconds = String(up % 60).padStart(2, '0');
    const lines = [
      ['Started', unixDate(new Date(startTime))],
      ['Up', `${Math.floor(up / 3_600)} hr ${minutes} min ${seconds} sec`],
      ['Go version', goVersion],
      ['Binary version', binaryVersion],
      ['Emulation version', releaseName],
      ...(has('pagesOfPaths') ? [['Paths', this.#folders.join(' ')]] : []),
    ];
    const body = lines.map(([name, value]) => `${name}${delimiter} ${value}\n`).join('');
    return `\n${COMPONENT} statusz\n${NOT_FOR_PROGRAMS}\n\n${body}`;
  }

  members() {
    const { startedMs, nowMs } = this.#options;
    return {
      startTime: `${new Date(startedMs).toISOString().slice(0, 19)}Z`,
      uptimeSeconds: Math.max(0, Math.floor((nowMs() - startedMs) / 1_000)),
      goVersion: `node${process.versions.node}`,
      binaryVersion: version.slice(1),
      emulationVersion: releaseName,
      paths: this.#folders,
    };
  }
}

class FlagPage implements Page {
  readonly kind = 'Flagz';
  readonly #flags: Readonly<Record<string, string>>;

  constructor(flags: Readonly<Record<string, string>>) {
    this.#flags = flags;
  }

  text(delimiter: string): string {
    const { flags } = this.members();
    const title = has('structuredPages') ? 'flagz' : 'flags';
    const space = has('structuredPages') ? '' : '\n';
    const lines = Object.entries(flags).map(([name, value]) => `${name}${delimiter}${value}\n`);
    return `\n${COMPONENT} ${title}\n${NOT_FOR_PROGRAMS}\n${space}${lines.join('')}`;
  }

  members() {
    const sorted = Object.entries(this.#flags).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return { flags: Object.fromEntries(sorted) };
  }
}

function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = paths.map((path) => `/${path.split('/')[1]}`);
  const own = folders.filter((folder) => folder !== '/' && !API_FOLDERS.includes(folder));
  return [...new Set(own)].toSorted();
}

/** As `date` writes it: `Mon Jan  2 15:04:05 UTC 2006`. */
function unixDate(date: Date): string {
  const [weekday = '', day = '', month = '', year = '', time = ''] = date.toUTCString().split(' ');
  return `${weekday.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${time} UTC ${year}`;
}

function isPlainText({ type, parameters }: AcceptClause): boolean {
  const [only] = parameters;
  const isUtf8 = only?.[0] === 'charset' && only[1].toLowerCase() === 'utf-8';
  const isTaken = takesType(type, 'text/plain') || type === '*/plain';
  return isTaken && (parameters.size === 0 || (parameters.size === 1 && isUtf8));
}

/** Throws StatusError 406. */
function sendNegotiated(exchange: Exchange, page: Page): void {
  for (const { type, parameters } of acceptClauses(exchange.head.accept)) {
    const as = parameters.get('as');
    if (as === undefined && takesType(type, 'text/plain')) return sendText(exchange, page);
    const taken = OWN_TYPES.find((one) => one !== 'text/plain' && takesType(type, one));
    const asked = VERSIONS.find((one) => one === parameters.get('v'));
    if (taken === undefined || as !== page.kind || parameters.get('g') !== GROUP) continue;
    if (asked !== undefined) return sendStructured(exchange, page, taken, asked);
  }
  throw acceptedTypesAre(OWN_TYPES);
}

function sendText(exchange: Exchange, page: Page): void {
  const drawn = DELIMITERS[Math.floor(Math.random() * DELIMITERS.length)] ?? '';
  exchange.sendText(200, page.text(drawn));
}

function sendStructured(exchange: Exchange, page: Page, type: string, asked: string): void {
  if (asked === OLD_VERSION && IS_OLD_DEPRECATED) {
    const path = page.kind.toLowerCase();
    exchange.warn([
      `This version of the ${path} endpoint is deprecated. Please use a newer version.`,
    ]);
  }
  const document = {
    kind: page.kind,
    apiVersion: `${GROUP}/${asked}`,
    metadata: { name: COMPONENT },
    ...page.members(),
  };
  const isYaml = type === 'application/yaml';
  const text = isYaml
    ? yamlText(JSON.stringify(document))
    : `${JSON.stringify(document, undefined, 2)}\n`;
  exchange.sendBytes(200, `${type};g=${GROUP};v=${asked};as=${page.kind}`, Buffer.from(text));
}
