import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

interface RouterLayer {
  match(path: string): boolean;
  route?: { path: string; methods: Record<string, boolean> };
}

type RouteLayer = RouterLayer & { route: NonNullable<RouterLayer['route']> };

/**
 * The methods of each path: tells an unknown path (404) from a path that does not allow the method (405). A path that
 * one route names literally belongs to that route only: `leads/export` is no lead, although `leads/:leadId` matches.
 */
@Injectable()
export class RouteTableService {
  #overlapping: ReadonlySet<string> | null = null;

  constructor(private readonly host: HttpAdapterHost) {}

  /** Methods that the path allows; empty for an unknown path. */
  listMethods(path: string): string[] {
    const matching = this.#layers().filter((layer) => matches(layer, path));
    const literal = getMostLiteral(matching.map(({ route }) => route.path));
    const methods = matching.filter(({ route }) => getShape(route.path) === literal).flatMap(listRouteMethods);
    return [...new Set(methods)];
  }

  /**
   * Whether another route may name this path literally, given the route that matched. Only these few paths need a
   * look-up of their methods.
   */
  hasLiteralRival(routePath: string): boolean {
    this.#overlapping ??= listOverlapping(this.#layers().map(({ route }) => route.path));
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
    return false; // A path that cannot be percent-decoded matches nothing.
  }
}

function listRouteMethods({ route }: RouteLayer): string[] {
  return Object.keys(route.methods).map((method) => method.toUpperCase());
}

/**
 * One character for each segment, `1` for a literal one and `0` for a parameter: the greater string is the more literal
 * path.
 */
function getShape(routePath: string): string {
  return splitSegments(routePath)
    .map((segment) => (isParameter(segment) ? '0' : '1'))
    .join('');
}

function getMostLiteral(routePaths: readonly string[]): string | undefined {
  return routePaths.map(getShape).toSorted().at(-1);
}

/** Routes that match a path which a more literal route matches too. */
function listOverlapping(routePaths: readonly string[]): ReadonlySet<string> {
  const all = [...new Set(routePaths)].map((path) => ({ path, shape: getShape(path), segments: splitSegments(path) }));
  const found = all.filter(({ shape, segments }) =>
    all.some((other) => other.shape > shape && canMatchSamePath(segments, other.segments)),
  );
  return new Set(found.map(({ path }) => path));
}

function canMatchSamePath(these: readonly string[], those: readonly string[]): boolean {
  if (these.length !== those.length) return false;
  return these.every((segment, at) => {
    const counterpart = those[at] ?? '';
    return segment === counterpart || isParameter(segment) || isParameter(counterpart);
  });
}

function splitSegments(routePath: string): string[] {
  return routePath.split('/');
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':');
}
