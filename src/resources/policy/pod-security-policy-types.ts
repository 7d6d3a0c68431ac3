interface Range {
  min?: number | bigint;
  max?: number | bigint;
}

export interface Strategy {
  rule?: string;
  ranges?: Range[];
}
