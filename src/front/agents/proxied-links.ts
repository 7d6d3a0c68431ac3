/** Places that a server behind a proxy names, as its clients reach them. */

export interface BehindProxy {
  /** The path of the proxy, escaped. */
  readonly prefix: string;
  /** The address of the server, and the one that the client has asked at. */
  readonly hosts: readonly string[];
}

/** A scheme or none, a host or none, and a path from the root. */
const FROM_ROOT = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/([^/?#]*)(?=\/)|(?=\/(?!\/)))(.*)$/is;

/** A change of a link to a place that is below the proxy. */
interface Change {
  /** Where the path begins. */
  readonly at: number;
  /** The text before the path stays there. */
  readonly keepsHost: boolean;
  /** Goes before the path. */
  readonly prefix: string;
}

/** Undefined for a place elsewhere, or that is not said from the root. */
function changeOf(place: string, { prefix, hosts }: BehindProxy): Change | undefined {
  const [, host = '', path] = FROM_ROOT.exec(place) ?? [];
  if (path === undefined || (host !== '' && !hosts.includes(host))) return undefined;
  const keepsHost = host !== '' && host === hosts[1];
  const at = place.length - path.length;
  return { at, keepsHost, prefix: path.startsWith(prefix) ? '' : prefix };
}

/** A place below the same address, as the client reaches it; any other as it is. */
export function clientLocation(location: string, proxy: BehindProxy): string {
  const change = changeOf(location, proxy);
  return change === undefined ? location : changed(location, change);
}

function changed(place: string, { at, keepsHost, prefix }: Change): string {
  return `${keepsHost ? place.slice(0, at) : ''}${prefix}${place.slice(at)}`;
}

/** Like `clientLocation`, for the value of an attribute, which may have character references. */
export function clientLink(value: string, proxy: BehindProxy): string {
  if (!value.includes('&')) return clientLocation(value, proxy);
  const { text, starts } = withoutReferences(value);
  const change = changeOf(text, proxy);
  return change === undefined ? value : changed(value, { ...change, at: starts[change.at] ?? 0 });
}

const REFERENCE = /&(?:#x([0-9a-f]+)|#([0-9]+)|(amp|colon|lowbar|period|sol));?/gi;
/** Those that a path may begin with; what comes later is not looked at. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  colon: ':',
  lowbar: '_',
  period: '.',
  sol: '/',
};

/** The text that is meant, and where each of its characters stands in the value. */
function withoutReferences(value: string): { text: string; starts: readonly number[] } {
  let text = '';
  const starts: number[] = [];
  const add = (meant: string, at: number, step: number): void => {
    for (let index = 0; index < meant.length; index++) starts.push(at + index * step);
    text += meant;
  };
  let copied = 0;
  for (const { 0: whole, 1: hex, 2: decimal, 3: name, index } of value.matchAll(REFERENCE)) {
    add(value.slice(copied, index), copied, 1);
    add(name === undefined ? character(hex, decimal) : (NAMED[name] ?? whole), index, 0);
    copied = index + whole.length;
  }
  add(value.slice(copied), copied, 1);
  return { text, starts };
}

const UNKNOWN = '\ufffd';
const CODE_MAX = 0x7f;

/** Beyond ASCII nothing is looked at. */
function character(hex: string | undefined, decimal: string | undefined): string {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code <= CODE_MAX ? String.fromCharCode(code) : UNKNOWN;
}
