/** Where a request has come from, as those say who have passed it on. */
import { formatIp, parseIp } from '../semantics/ip-address.ts';
import type { Arrival } from './http.ts';

/** The last one is who has the connection; only that one is sure. To be asked while it is open. */
export function clientAddresses({ request, response }: Arrival): readonly string[] {
  const passed = request.getHeader('x-forwarded-for').split(',').flatMap(addressOf);
  for (const real of addressOf(request.getHeader('x-real-ip'))) {
    if (!passed.includes(real)) passed.push(real);
  }
  for (const own of addressOf(Buffer.from(response.getRemoteAddressAsText()).toString())) {
    if (passed.at(-1) !== own) passed.push(own);
  }
  return passed;
}

function addressOf(text: string): readonly string[] {
  const ip = parseIp(text.trim());
  return ip === undefined ? [] : [formatIp(ip)];
}
