/** Where the server listens, and how clients on this machine and on others reach it. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import { credentialFiles } from './auth/credentials.ts';
import type { Config } from './config/config.ts';
import type { Reach } from './front/documents/first-commands.ts';
import { firstServiceAddress } from './resources/core/services/service-ranges.ts';
import {
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseIp,
} from './semantics/validation/ip-address.ts';

/** By which programs in the cluster know the API: as a Service, whatever the dialect calls it. */
const SERVICE_NAMES = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];
/** A wildcard address is for listening: clients on this machine take the loopback. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
/** Kept free for documentation: what is sent there takes the default route, and nothing is. */
const ELSEWHERE = { 4: '192.0.2.1', 6: '2001:db8::1' } as const;
const ANY_PORT = 9;

type Ports = Pick<Config, 'bindAddress' | 'port' | 'securePort'>;

/**
 * With the address that a name stands for in its place: a name may lead clients to another address
 * than the one that is listened on, and to whoever listens there. The certificate is for both.
 */
export async function withBoundAddress(config: Config): Promise<Config> {
  const { bindAddress, tls } = config;
  const address = isIP(bindAddress) === 0 ? await addressOf(bindAddress) : '';
  if (address === '') return config;
  const extraNames = [...tls.extraNames, bindAddress];
  return { ...config, bindAddress: address, tls: { ...tls, extraNames } };
}

/** Where it listens: HTTPS last. */
export function listenAddresses({ bindAddress, port, securePort }: Ports): readonly string[] {
  const host = isIPv6(bindAddress) ? `[${bindAddress}]` : bindAddress;
  return [
    ...(port === 0 ? [] : [`http://${host}:${port}`]),
    ...(securePort === 0 ? [] : [`https://${host}:${securePort}`]),
  ];
}

/** How clients on this machine reach it; `authorityFile` is '' without an own certificate. */
export function reachOf(config: Config, authorityFile: string): Reach {
  const { apiDomain, bindAddress, dataDir, port, securePort } = config;
  const address = LOOPBACK_OF[bindAddress] ?? bindAddress;
  const [http = ''] = listenAddresses({ bindAddress: address, port, securePort: 0 });
  const [https = ''] = listenAddresses({ bindAddress: address, port: 0, securePort });
  return { apiDomain, http, https, ...credentialFiles(dataDir), authorityFile };
}

/**
 * Where others reach it: what the user says, else the address that it listens on where others can
 * use it, else that of this machine's default route. '' where there is none.
 */
export async function advertisedAddress({
  advertiseAddress,
  bindAddress,
}: Pick<Config, 'advertiseAddress' | 'bindAddress'>): Promise<string> {
  if (advertiseAddress !== '') return advertiseAddress;
  if (isForOthers(bindAddress)) return bindAddress;
  const families = isIPv6(bindAddress) ? ([6, 4] as const) : ([4, 6] as const);
  for (const family of families) {
    const address = await routedAddress(family);
    if (isForOthers(address)) return address;
  }
  return '';
}

/** Where documents say that it is: what the user says, or where it listens. */
export async function serverUrl(config: Config): Promise<string> {
  const { bindAddress, advertiseAddress } = config;
  const isWildcard = LOOPBACK_OF[bindAddress] !== undefined;
  const others = isWildcard ? await advertisedAddress(config) : advertiseAddress;
  const urls = listenAddresses({ ...config, bindAddress: others || bindAddress });
  return urls.at(-1) ?? '';
}

async function addressOf(host: string): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch {
    // Listening on it will say what is wrong with it.
    return '';
  }
}

/** Whether objects of the API may name the address as an endpoint. */
function isForOthers(address: string): boolean {
  const ip = parseIp(address);
  if (ip === undefined) return false;
  return !isUnspecified(ip) && !isLoopback(ip) && !isLinkLocalUnicast(ip);
}

/** This machine's address on the default route, as the system says without sending anything. */
async function routedAddress(family: 4 | 6): Promise<string> {
  const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
  try {
    socket.connect(ANY_PORT, ELSEWHERE[family]);
    await once(socket, 'connect');
    return socket.address().address;
  } catch {
    // There is no such route.
    return '';
  } finally {
    socket.close();
  }
}

/** For what the certificate of the server is valid. */
export function certificateNames(config: Config, advertised: string): readonly string[] {
  const { bindAddress, tls, kindSettings } = config;
  const names = [
    'localhost',
    ...SERVICE_NAMES,
    hostname(),
    '127.0.0.1',
    '::1',
    firstServiceAddress(kindSettings.serviceClusterIpRange),
    advertised,
    bindAddress,
    ...tls.extraNames,
  ];
  return [...new Set(names)].filter((name) => name !== '');
}
