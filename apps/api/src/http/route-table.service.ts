import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

interface RouterLayer {
  match(path: string): boolean;
  route?: { path: string; methods: Record<string, boolean> };
}

type RouteLayer = RouterLayer & { route: NonNullable<RouterLayer['route']> };

/**
 * What each address takes: tells an unknown path (404) from a known one that does not take the method (405). A path that
 * one route names literally is that route's alone: `leads/export` is no lead, whatever `leads/:leadId` would match.
 */
@Injectable()
export class RouteTableService {
  #overlapping: ReadonlySet<string> | null = null;

  constructor(private readonly host: HttpAdapterHost) {}

  /** Methods that the path takes; empty for an unknown path. */
  methods(path: string): string[] {
    const matching = this.#layers().filter((layer) => matches(layer, path));
    const literal = mostLiteral(matching.map(({ route }) => route.path));
    const methods = matching.filter(({ route }) => shapeOf(route.path) === literal).flatMap(methodsOf);
    return [...new Set(methods)];
  }

  /**
   * Whether a path may be one that another route names literally, seen from the route that took it; only for these few it
   * is worth asking for its methods.
   */
  mayBelongToAnother(routePath: string): boolean {
    this.#overlapping ??= overlapping(this.#layers().map(({ route }) => route.path));
    return this.#overlapping.has(routePath);
  }

  #layers(): RouteLayer[] {
    const { router } = this.host.httpAdapter.getInstance<{ router: { stack: RouterLayer[] } }>();
    return router.stack.filter((layer): layer is RouteLayer => layer.route !== undefined);
  }
}

function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false; // a path that cannot be percent-decoded matches nothing
  }
}

function methodsOf({ route }: RouteLayer): string[] {
  return Object.keys(route.methods).map((method) => method.toUpperCase());
}

/** One character for each segment, `1` for a literal one and `0` for a parameter: the greater text is the more literal. */
function shapeOf(routePath: string): string {
  return segmentsOf(routePath)
    .map((segment) => (isParameter(segment) ? '0' : '1'))
    .join('');
}

function mostLiteral(routePaths: readonly string[]): string | undefined {
  return routePaths.map(shapeOf).toSorted().at(-1);
}

/** Routes that match a path which a more literal one matches, too. */
function overlapping(routePaths: readonly string[]): ReadonlySet<string> {
  const all = [...new Set(routePaths)].map((path) => ({ path, shape: shapeOf(path), segments: segmentsOf(path) }));
  const found = all.filter(({ shape, segments }) =>
    all.some((other) => other.shape > shape && meet(segments, other.segments)),
  );
  return new Set(found.map(({ path }) => path));
}

function meet(these: readonly string[], those: readonly string[]): boolean {
  if (these.length !== those.length) return false;
  return these.every((segment, at) => {
    const counterpart = those[at] ?? '';
    return segment === counterpart || isParameter(segment) || isParameter(counterpart);
  });
}

function segmentsOf(routePath: string): string[] {
  return routePath.split('/');
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':');
}
