import { type HookPoint, type HookRegistry } from '@platform/hooks';

/** Adds a listener of a spec to those of the process. @returns a function that removes it */
export function addListener<Listener extends object>(
  hooks: HookRegistry,
  point: HookPoint<Listener>,
  listener: Listener,
): () => void {
  return replaceListeners(hooks, point, [...hooks.list(point), listener]);
}

/** Replaces the listeners of a hook point. @returns a function that restores them */
export function replaceListeners<Listener extends object>(
  hooks: HookRegistry,
  point: HookPoint<Listener>,
  listeners: readonly Listener[],
): () => void {
  const before = Object.getOwnPropertyDescriptor(hooks, 'list');
  const others = hooks.list.bind(hooks) as (point: unknown) => readonly object[];
  Object.assign(hooks, { list: (called: unknown) => (called === point ? listeners : others(called)) });
  return () => {
    if (before) Object.defineProperty(hooks, 'list', before);
    else Reflect.deleteProperty(hooks, 'list');
  };
}
