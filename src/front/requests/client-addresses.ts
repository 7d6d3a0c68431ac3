/** Where a request has come from, as those say who have passed it on. */
import { RecentMap } from '../../base/recent-map.ts';
import { formatIp, parseIp } from '../../semantics/validation/ip-address.ts';
import type { Arrival } from '../http.ts';

/** The last one is who has the connection; only that one is sure. To be asked while it is open. */
export function clientAddresses({ request, response }: Arrival): readonly string[] {
  const connected = connectedAddress(
    Buffer.from(response.getRemoteAddressAsText()).toString('latin1'),
  );
  const forwarded = request.getHeader('x-forwarded-for');
  const realIp = request.getHeader('x-real-ip');
  if (forwarded === '' && realIp === '') return connected;
  const passed = forwarded.split(',').flatMap(addressOf);
  for (const real of addressOf(realIp)) {
    if (!passed.includes(real)) passed.push(real);
  }
  for (const own of connected) if (passed.at(-1) !== own) passed.push(own);
  return passed;
}

const known = new RecentMap<string, readonly string[]>(1_000);

/** Most requests come from where others have come from. */
function connectedAddress(text: string): readonly string[] {
  let addresses = known.get(text);
  if (addresses === undefined) known.set(text, (addresses = addressOf(text)));
  return addresses;
}

function addressOf(text: string): readonly string[] {
  const ip = parseIp(text.trim());
  return ip === undefined ? [] : [formatIp(ip)];
}
