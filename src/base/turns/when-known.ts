/** Goes on at once with a value that is known already, and else when the promise resolves. */
export function whenKnown<T, R>(
  value: T | Promise<T>,
  then: (value: T) => R | Promise<R>,
): R | Promise<R> {
  return value instanceof Promise ? value.then(then) : then(value);
}
