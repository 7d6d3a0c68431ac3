/** Looks up the addresses of host names. */
import { lookup } from 'node:dns/promises';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP } from 'node:net';

/** Gives all addresses of a name; none where there is no such name. */
export type LookUp = (name: string) => Promise<readonly string[]>;

export const lookUpAll: LookUp = async (name) => {
  const found = await lookup(name, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
};

type Told = (error: Error | null, found: string | LookupAddress[], family?: number) => void;

/** In the place of a look-up for a connection: these are known, and no other is asked for. */
export function knownAs(addresses: readonly string[]) {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name: string, { all }: LookupOptions, tell: Told): void => {
    const [first = { address: '', family: 0 }] = found;
    if (all === true) tell(null, found);
    else tell(null, first.address, first.family);
  };
}
