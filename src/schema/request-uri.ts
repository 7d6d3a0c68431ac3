/** Reads URIs as the reference reads those of requests. */

// oxlint-disable-next-line no-control-regex -- those are what no URI has
const CONTROL = /[\u0000-\u001f\u007f]/;
const SCHEME = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;
const BAD_ESCAPE = /%(?![0-9a-fA-F]{2})/;
const USER = /^[a-zA-Z0-9\-._:~!$&'()*+,;=%@]*$/;
/** Hosts may have characters beyond ASCII, escapes of those, and the escape of `%`. */
// oxlint-disable-next-line no-control-regex -- that is what ASCII is
const HOST = /^(?:[\w\-.~!$&'()*+,;=:[\]<>"]|[^\0-\x7f]|%25|%[89a-fA-F][0-9a-fA-F])*$/;
/** A zone may have any escape. */
// oxlint-disable-next-line no-control-regex -- the same
const ZONE = /^(?:[\w\-.~!$&'()*+,;=:[\]<>"]|[^\0-\x7f]|%[0-9a-fA-F]{2})*$/;
const PORT = /^(?::[0-9]*)?$/;

/** Whether the text is an absolute URI, or an absolute path with or without a query. */
export function isRequestUri(text: string): boolean {
  if (text === '' || CONTROL.test(text)) return false;
  if (text === '*') return true;
  if (text.startsWith(':')) return false;
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  const query = rest.indexOf('?');
  const path = query === -1 ? rest : rest.slice(0, query);
  if (!path.startsWith('/')) return scheme !== '';
  if (scheme === '' || !path.startsWith('//')) return !BAD_ESCAPE.test(path);
  const slash = path.indexOf('/', 2);
  const authority = slash === -1 ? path.slice(2) : path.slice(2, slash);
  return isAuthority(authority) && (slash === -1 || !BAD_ESCAPE.test(path.slice(slash)));
}

function isAuthority(text: string): boolean {
  const at = text.lastIndexOf('@');
  const user = at === -1 ? '' : text.slice(0, at);
  return USER.test(user) && !BAD_ESCAPE.test(user) && isHost(text.slice(at + 1));
}

function isHost(text: string): boolean {
  if (!text.startsWith('[')) {
    const colon = text.lastIndexOf(':');
    return PORT.test(colon === -1 ? '' : text.slice(colon)) && HOST.test(text);
  }
  const end = text.lastIndexOf(']');
  if (end === -1 || !PORT.test(text.slice(end + 1))) return false;
  const zone = text.slice(0, end).indexOf('%25');
  if (zone === -1) return HOST.test(text);
  return HOST.test(text.slice(0, zone)) && ZONE.test(text.slice(zone, end));
}
