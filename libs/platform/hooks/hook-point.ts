/** How many listeners a hook point has in a process. `one-by-key`: one for each value of the listener's field `key`. */
export type ListenerCount = 'one' | 'many' | 'one-by-key';

interface HookOptions<Listener> {
  /** Default: `many`, which means at least one. */
  readonly listeners?: 'one' | 'many';
  /** Field that names the kind of work that a listener does: there is one listener for each. */
  readonly key?: keyof Listener & string;
}

/** A place where a lower domain calls higher ones, which it does not know. `Listener` is what they implement. */
export class HookPoint<Listener extends object> {
  declare protected readonly accepts: (listener: Listener) => void;
  readonly listeners: ListenerCount;
  readonly key: (keyof Listener & string) | null;

  constructor(
    readonly name: string,
    { listeners = 'many', key }: HookOptions<Listener> = {},
  ) {
    this.listeners = key ? 'one-by-key' : listeners;
    this.key = key ?? null;
  }
}

type Constructor<Instance> = abstract new (...args: never[]) => Instance;

const points = new Map<string, HookPoint<object>>();
const listening = new WeakMap<object, HookPoint<object>[]>();

/** Declares a hook point, which each process must have listeners for. */
export function defineHook<Listener extends object>(
  name: string,
  options?: HookOptions<Listener>,
): HookPoint<Listener> {
  if (points.has(name)) throw new Error(`Hook point ${name} is declared twice`);
  const point = new HookPoint<Listener>(name, options);
  points.set(name, point as unknown as HookPoint<object>);
  return point;
}

/** Every declared hook point, by name. */
export function listHookPoints(): HookPoint<object>[] {
  return [...points.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Class decorator of a provider that listens at the hook point; the `HookRegistry` finds it at the start of the process. */
export function Listens<Listener extends object>(point: HookPoint<Listener>) {
  return (listener: Constructor<Listener>): void => {
    const others = listening.get(listener) ?? [];
    listening.set(listener, [...others, point as unknown as HookPoint<object>]);
  };
}

/** The hook points at which a class listens. */
export function listPointsOf(listener: object): readonly HookPoint<object>[] {
  return listening.get(listener) ?? [];
}
