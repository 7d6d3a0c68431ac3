/**
 * Headers in which clients say who they are, and as whom they act: what this server is shown is
 * for nobody behind it. Names are in lower case.
 */
import type { FrontProxySettings } from './authentication/front-proxy.ts';

/** Those of front proxies too, whatever the options call them: who reads them may believe them. */
const NAMES = [
  'authorization',
  'proxy-authorization',
  'x-remote-user',
  'x-remote-uid',
  'x-remote-group',
];
const PREFIXES = ['impersonate-', 'x-remote-extra-'];

/** Whether a header says who asks; `frontProxy` are the names of the options. */
export type SaysWhoAsks = (header: string) => boolean;

export function identityHeaders(frontProxy: FrontProxySettings | undefined): SaysWhoAsks {
  const { userHeaders = [], groupHeaders = [], extraPrefixes = [] } = frontProxy ?? {};
  const names = new Set([...NAMES, ...userHeaders, ...groupHeaders].map(normalized));
  const prefixes = [...PREFIXES, ...extraPrefixes].map(normalized);
  return (header) => {
    const name = normalized(header);
    return names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
  };
}

/** Many servers read a dash and an underscore as the same. */
function normalized(header: string): string {
  return header.replaceAll('_', '-');
}
