/** The controllers inside the process, and which of them `--controllers` switches on. */
export const CONTROLLER_NAMES = [
  'bootstrap',
  'namespace',
  'garbage-collector',
  'event-expiry',
] as const;
export type ControllerName = (typeof CONTROLLER_NAMES)[number];

/**
 * Reads a list as the reference's controller manager does: `*` is all, `name` that one, `-name` not
 * that one, and what is named wins over `*`. Throws RangeError for a name that there is not.
 */
export function parseControllers(list: string): ReadonlySet<ControllerName> {
  const items = list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  for (const item of items) {
    const name = item.replace(/^-/, '');
    if (item !== '*' && !(CONTROLLER_NAMES as readonly string[]).includes(name)) {
      throw new RangeError(`there is no controller "${name}"`);
    }
  }
  // Of a name that comes both with and without a dash, the first counts.
  const isOn = (name: ControllerName): boolean => {
    const named = items.find((item) => item === name || item === `-${name}`);
    return named === undefined ? items.includes('*') : named === name;
  };
  return new Set(CONTROLLER_NAMES.filter(isOn));
}

/** Those that a shard serves like any client; it has verbs of their own for the others. */
const CLIENTS: readonly ControllerName[] = ['bootstrap'];

/** By which name a shard knows its port to a controller. */
export function controllerPort(name: ControllerName): string {
  return `${CLIENTS.includes(name) ? 'client' : 'controller'}:${name}`;
}
