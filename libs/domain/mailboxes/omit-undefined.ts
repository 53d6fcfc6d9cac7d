type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Without the fields that were not given. */
export function omitUndefined<T extends object>(input: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<Defined<T>>;
}
