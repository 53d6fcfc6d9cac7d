import { Inject, Injectable, type OnModuleInit, Optional } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { BootError } from '@platform/lifecycle';
import { type HookPoint } from './hook-point';
import { findMissingListeners, listListeningProviders } from './listening-provider';

/** Token of the hook points without which the process does not start. */
export const REQUIRED_POINTS = Symbol('required hook points');

type Called<Listener, Name extends keyof Listener> =
  NonNullable<Listener[Name]> extends (...args: infer Args) => Promise<infer Result>
    ? { args: Args; result: Result }
    : never;

/** The listeners of all hook points, collected once at the start of the process. */
@Injectable()
export class HookRegistry implements OnModuleInit {
  #listeners: ReadonlyMap<string, readonly object[]> | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    @Optional() @Inject(REQUIRED_POINTS) private readonly required: readonly HookPoint<object>[] = [],
  ) {}

  /** @throws BootError with all problems: too few or too many listeners, or several for one key */
  onModuleInit(): void {
    const found = listListeningProviders(this.modules);
    const problems = findMissingListeners(this.required, found);
    const listeners = new Map<string, object[]>();
    for (const { point, type, get } of found) {
      const own = listeners.get(point.name) ?? [];
      const listener = get();
      if (own.some((other) => isSame(point, other, listener))) {
        problems.push(`Hook point ${point.name} has a second listener like ${type.name}`);
      }
      listeners.set(point.name, [...own, listener]);
    }
    if (problems.length > 0) throw new BootError(problems.join('\n'));
    this.#listeners = listeners;
  }

  /** The listeners of a hook point, those of lower domains first. */
  list<Listener extends object>({ name }: HookPoint<Listener>): readonly Listener[] {
    if (!this.#listeners) throw new Error(`Hook point ${name} is called before the process has started`);
    return (this.#listeners.get(name) ?? []) as Listener[];
  }

  /** The listener with this key. @throws Error without one */
  get<Listener extends object>(point: HookPoint<Listener>, key: string): Listener {
    const found = this.list(point).find((listener) => point.key && listener[point.key] === key);
    if (!found) throw new Error(`Hook point ${point.name} has no listener for ${key}`);
    return found;
  }

  /**
   * Calls all listeners that implement the method, one after the other, because a transaction takes no concurrent calls.
   * The first error ends it. @returns what they return
   */
  async call<Listener extends object, Name extends keyof Listener & string>(
    point: HookPoint<Listener>,
    name: Name,
    ...args: Called<Listener, Name>['args']
  ): Promise<Called<Listener, Name>['result'][]> {
    const results: Called<Listener, Name>['result'][] = [];
    for (const listener of this.list(point)) {
      const method = listener[name] as ((...args: unknown[]) => Promise<Called<Listener, Name>['result']>) | undefined;
      if (method) results.push(await method.apply(listener, args));
    }
    return results;
  }
}

function isSame({ key }: HookPoint<object>, one: object, other: object): boolean {
  if (key === null) return one.constructor === other.constructor;
  return one[key] === other[key];
}
