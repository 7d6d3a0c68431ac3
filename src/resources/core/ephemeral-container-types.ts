import type { Container } from './container.ts';

export interface EphemeralContainer extends Container {
  targetContainerName?: string;
}
