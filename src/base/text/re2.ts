/** Regular expressions as Go has them (RE2), of a package that most threads never need. */
import { latePackage } from '../late-package.ts';

export const re2Package = latePackage<typeof import('re2js')>('re2js');
