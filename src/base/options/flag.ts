/** One option: how its value is called, what it is when none is given, and what it does. */
export interface Flag {
  readonly value: string;
  readonly preset: string;
  readonly help: string;
  /** May be given more than once: its values are joined by line breaks. */
  readonly isMany?: true;
  /** Given without a value it is `true`; with one it stands after `=`. */
  readonly isSwitch?: true;
  /** One letter that means the same after a single dash. */
  readonly short?: string;
}

/** The values that were given for some flags, or their presets. */
export type FlagValues<Flags> = Readonly<Record<keyof Flags & string, string>>;
