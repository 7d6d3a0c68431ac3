/** Columns, and the texts of cells, that several kinds show in their Tables (README.md#tables). */
import type { LoadBalancerStatus } from '#messages/core.v1';
import type { LabelSelector } from '#messages/meta.v1';
import { ageSince, type Age } from '../semantics/age-text.ts';
import { formatLabelSelector } from '../semantics/label-selector.ts';
import { toLabelSelector } from '../semantics/object-label-selector.ts';
import type { WithMetadata } from '../semantics/object-meta.ts';
import { definePrinter, type Column } from './printer.ts';

/** What stands in a cell that has nothing to show. */
export const NONE = '<none>';
export const UNSET = '<unset>';
export const UNKNOWN = '<unknown>';

export const NAME_COLUMN: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object, unique among those of its type in its namespace.',
};
export const AGE_COLUMN: Column = column('Age', 'string', 'How long ago the object was created.');

export function column(name: string, type: Column['type'], description: string): Column {
  return { name, type, description };
}

/** A column that clients show in wide output only. */
export function wideColumn(name: string, type: Column['type'], description: string): Column {
  return { name, type, description, priority: 1 };
}

export function nameOf({ metadata }: WithMetadata): string {
  return metadata.name ?? '';
}

/** How long ago an object was created. */
export function ageOf({ metadata }: WithMetadata): Age | string {
  return ageSince(metadata.creationTimestamp);
}

/** `Terminating` for an object that is being deleted, else `phase`. */
export function phaseText({ metadata }: WithMetadata, phase = ''): string {
  return metadata.deletionTimestamp === undefined ? phase : 'Terminating';
}

/** `texts`, or `<none>` when there are none. */
export function listText(texts: readonly string[] | undefined): string {
  return texts === undefined || texts.length === 0 ? NONE : texts.join(',');
}

/** `True` or `False`; `<unset>` for a flag that its kind may leave open. */
export function flagText(flag: boolean | undefined): string {
  if (flag === undefined) return UNSET;
  return flag ? 'True' : 'False';
}

/** Labels by their keys: `a=1,b=2`. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  if (labels === undefined) return NONE;
  return listText(
    Object.keys(labels)
      .sort()
      .map((key) => `${key}=${labels[key]}`),
  );
}

/** The text form of a selector; `<error>` for one that cannot be understood. */
export function selectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return NONE;
  const parsed = toLabelSelector(selector);
  return parsed === undefined ? '<error>' : formatLabelSelector(parsed) || NONE;
}

const CONTAINERS_COLUMN = wideColumn('Containers', 'string', 'The names of the containers.');
const IMAGES_COLUMN = wideColumn('Images', 'string', 'The images that the containers run.');
export const SELECTOR_COLUMN = wideColumn('Selector', 'string', 'The labels of what it selects.');
/** The columns of what `containerCells` returns. */
export const CONTAINER_COLUMNS: readonly Column[] = [CONTAINERS_COLUMN, IMAGES_COLUMN];

/** What they are made of, of each container. */
export const CONTAINER_MEMBERS = { name: true, image: true } as const;

/** The names of the containers that a pod is to run, and their images. */
export function containerCells(
  spec: { readonly containers?: readonly { name?: string; image?: string }[] } = {},
): [names: string, images: string] {
  const { containers = [] } = spec;
  return [
    containers.map(({ name = '' }) => name).join(','),
    containers.map(({ image = '' }) => image).join(','),
  ];
}

const MODE_WORDS = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

/** `RWO,ROX`: each mode once, in an order of their own. */
export function accessModesText(modes: readonly string[] = []): string {
  return MODE_WORDS.filter(([mode]) => modes.includes(mode))
    .map(([, word]) => word)
    .join(',');
}

/** The addresses at which load balancers can be reached, each once; '' for none. */
export function loadBalancerText({ ingress = [] }: LoadBalancerStatus = {}): string {
  const addresses = ingress.map(({ ip, hostname }) => ip || hostname || '');
  return [...new Set(addresses.filter((address) => address !== ''))].sort().join(',');
}

/** The time of an object that has none, as the reference writes it. */
const ZERO_TIME = '0001-01-01T00:00:00Z';

/** For kinds without a printer of their own. */
export const DEFAULT_PRINTER = definePrinter()({
  columns: [
    NAME_COLUMN,
    column('Created At', 'date', 'When the object was created, by the clock of the server.'),
  ],
  members: {},
  cells: (object) => [nameOf(object), object.metadata.creationTimestamp ?? ZERO_TIME],
});
