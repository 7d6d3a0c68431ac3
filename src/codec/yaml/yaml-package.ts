/** The YAML package, which most threads never need. */
import { latePackage } from '../../base/late-package.ts';

type Yaml = typeof import('yaml');

export const yamlPackage = latePackage<Yaml>('yaml');

export const isAlias = ((node: unknown) => yamlPackage().isAlias(node)) as Yaml['isAlias'];
export const isMap = ((node: unknown) => yamlPackage().isMap(node)) as Yaml['isMap'];
export const isScalar = ((node: unknown) => yamlPackage().isScalar(node)) as Yaml['isScalar'];
export const isSeq = ((node: unknown) => yamlPackage().isSeq(node)) as Yaml['isSeq'];
