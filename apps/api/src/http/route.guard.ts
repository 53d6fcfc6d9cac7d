import { type CanActivate, type ExecutionContext, Injectable, MethodNotAllowedException } from '@nestjs/common';
import { type Response } from 'express';
import { type HttpRequest } from './http-request';
import { RouteTableService } from './route-table.service';

/**
 * Rejects a request that matched a route with a parameter although another route has this literal path: `PATCH
 * …/leads/export` changes no lead called `export`. Runs before all other guards, like the answer to an unknown path.
 */
@Injectable()
export class RouteGuard implements CanActivate {
  constructor(private readonly routes: RouteTableService) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const { path } = request.route as { path: string };
    if (!this.routes.hasLiteralRival(path)) return true;
    const allowed = this.routes.listMethods(request.path);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (allowed.includes(method)) return true;
    throw methodNotAllowed(allowed, http.getResponse<Response>());
  }
}

/** 405, with the allowed methods in `Allow`. */
export function methodNotAllowed(allowed: readonly string[], response: Response): MethodNotAllowedException {
  response.setHeader('Allow', allowed.join(', '));
  return new MethodNotAllowedException(`This path allows ${allowed.join(', ')}`);
}
