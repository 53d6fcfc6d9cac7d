import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LogService, MetricsService, runInContext } from '@platform/observability';
import { type NextFunction, type RequestHandler, type Response } from 'express';
import { type HttpRequest } from './http-request';

/** Gives each request an id, a log context, one log line and one measurement. */
@Injectable()
export class RequestMiddleware {
  constructor(
    private readonly log: LogService,
    private readonly metrics: MetricsService,
  ) {}

  handler(): RequestHandler {
    return (request, response, next) => this.#cross(request as HttpRequest, response, next);
  }

  #cross(request: HttpRequest, response: Response, next: NextFunction): void {
    request.requestId = toRequestId(request.get('x-request-id'));
    response.setHeader('X-Request-Id', request.requestId);
    const started = performance.now();
    runInContext({ requestId: request.requestId }, () => {
      response.once('close', () => this.#record(request, response, performance.now() - started));
      next();
    });
  }

  #record(request: HttpRequest, response: Response, milliseconds: number): void {
    const route = getRoute(request);
    const status = response.writableFinished ? response.statusCode : 499;
    this.metrics.httpRequests.observe({ method: request.method, route, status }, milliseconds / 1000);
    // The route, not the URL: query strings and foreign ids do not belong in a log.
    const write = route.startsWith('/health/') ? this.log.debug.bind(this.log) : this.log.info.bind(this.log);
    write('Request', { method: request.method, route, status, milliseconds: Math.round(milliseconds * 10) / 10 });
  }
}

/** Keeps the id of the caller if it is harmless, so that a request can be traced across services. */
function toRequestId(received: string | undefined): string {
  return received !== undefined && /^[\w-]{8,64}$/.test(received) ? received : randomUUID();
}

function getRoute(request: HttpRequest): string {
  const { path } = (request as { route?: { path?: unknown } }).route ?? {};
  return typeof path === 'string' ? path : 'unmatched';
}
