import { type ModulesContainer } from '@nestjs/core';
import { type HookPoint, listPointsOf } from './hook-point';

/** A provider that listens at a hook point. */
export interface ListeningProvider {
  readonly point: HookPoint<object>;
  readonly type: { readonly name: string };
  /** Name of the module that provides it. */
  readonly module: string;
  /** Its object, once the process is built. */
  readonly get: () => object;
}

/**
 * The listeners of an application, those of lower domains first, as Nest starts them. It reads what the modules declare, so
 * it needs no started process.
 */
export function listListeningProviders(modules: ModulesContainer): ListeningProvider[] {
  const ordered = [...modules.values()].toSorted((a, b) => b.distance - a.distance || a.name.localeCompare(b.name));
  return ordered.flatMap((module) =>
    [...module.providers.values()].flatMap((provider) => {
      const { metatype: type, isAlias } = provider;
      if (isAlias || typeof type !== 'function') return [];
      const get = () => provider.instance as object;
      return listPointsOf(type).map((point) => ({ point, type, module: module.name, get }));
    }),
  );
}

/** One sentence for each hook point that has too few or too many listeners. */
export function findMissingListeners(
  points: readonly HookPoint<object>[],
  found: readonly ListeningProvider[],
): string[] {
  return points.flatMap(({ name, listeners }) => {
    const own = found.filter(({ point }) => point.name === name).map(({ type }) => type.name);
    if (own.length === 0) return [`Hook point ${name} has no listener`];
    return listeners === 'one' && own.length > 1 ? [`Hook point ${name} has several listeners: ${own.join(', ')}`] : [];
  });
}
