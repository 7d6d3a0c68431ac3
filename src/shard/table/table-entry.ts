import type { OwnerLink } from '../../storage/record.ts';

export interface TableEntry {
  readonly key: string;
  readonly rv: number;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly fields: readonly string[];
  /** Only of objects that have any, while somebody collects garbage. */
  readonly owners?: readonly OwnerLink[];
  /** Bits of `AWAITS`, only of objects that wait for the garbage collector. */
  readonly awaits?: number;
}
