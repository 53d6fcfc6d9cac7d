import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

interface RouterLayer {
  match(path: string): boolean;
  route?: { methods: Record<string, boolean> };
}

/** Tells an unknown path (404) from a known one that does not take the method (405). */
@Injectable()
export class RouteTable {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Methods that some route takes on this path; empty for an unknown path. */
  methods(path: string): string[] {
    const { router } = this.host.httpAdapter.getInstance<{ router: { stack: RouterLayer[] } }>();
    const methods = router.stack
      .filter((layer) => layer.route && matches(layer, path))
      .flatMap((layer) => Object.keys(layer.route?.methods ?? {}));
    return [...new Set(methods)].map((method) => method.toUpperCase());
  }
}

function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false; // a path that cannot be percent-decoded matches nothing
  }
}
