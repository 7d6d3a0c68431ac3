/** The types of the used part of the package, which brings none. */
declare module 'fs-native-extensions' {
  /** Takes the kernel's lock of an open file; false when another open file has it. */
  export function tryLock(descriptor: number): boolean;
}
