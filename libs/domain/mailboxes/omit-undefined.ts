type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Removes the fields that are undefined. */
export function omitUndefined<T extends object>(input: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<Defined<T>>;
}
