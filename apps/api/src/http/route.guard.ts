import { type CanActivate, type ExecutionContext, Injectable, MethodNotAllowedException } from '@nestjs/common';
import { type Response } from 'express';
import { type HttpRequest } from './http-request';
import { RouteTableService } from './route-table.service';

/**
 * Refuses what a route with a parameter has taken although the address is another route's: `PATCH …/leads/export` changes
 * no lead called `export`. Comes before all other guards, like the answer to an address that no route takes.
 */
@Injectable()
export class RouteGuard implements CanActivate {
  constructor(private readonly routes: RouteTableService) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const { path } = request.route as { path: string };
    if (!this.routes.mayBelongToAnother(path)) return true;
    const allowed = this.routes.methods(request.path);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (allowed.includes(method)) return true;
    throw notTaken(allowed, http.getResponse<Response>());
  }
}

/** 405, with the methods that the address takes in `Allow`. */
export function notTaken(allowed: readonly string[], response: Response): MethodNotAllowedException {
  response.setHeader('Allow', allowed.join(', '));
  return new MethodNotAllowedException(`This address takes ${allowed.join(', ')}`);
}
