import { randomUUID } from 'node:crypto';
import {
  type ArgumentsHost,
  BadRequestException,
  Catch,
  type ExceptionFilter,
  NotFoundException,
} from '@nestjs/common';
import { LogService } from '@platform/observability';
import { type Response } from 'express';
import { toErrorResponse } from './error-response';
import { type HttpRequest } from './http-request';
import { methodNotAllowed } from './route.guard';
import { RouteTableService } from './route-table.service';

const NOTHING_HERE = 'This path does not exist';

/** The one place that turns errors into responses. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly log: LogService,
    private readonly routes: RouteTableService,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const response = http.getResponse<Response>();
    if (response.headersSent) {
      // The stream failed midway: only closing the connection shows the failure.
      this.log.error('A response was interrupted', thrown);
      response.destroy();
      return;
    }
    const error = this.#unmatched(thrown, request, response);
    const errorId = randomUUID();
    const { status, body, fault } = toErrorResponse(error, request.formACodes ?? [], errorId);
    if (fault) this.log.error('Request failed', error, { errorId, method: request.method });
    response.status(status).json(body);
  }

  /** The framework's own "Cannot GET /…": no route matched, so no guard ran. */
  #unmatched(error: unknown, request: HttpRequest, response: Response): unknown {
    if (request.formACodes !== undefined) return error;
    // A path that cannot be percent-decoded matches no route either.
    if (error instanceof BadRequestException) return new NotFoundException(NOTHING_HERE);
    if (!(error instanceof NotFoundException)) return error;
    const allowed = this.routes.listMethods(request.path);
    if (allowed.length === 0) return new NotFoundException(NOTHING_HERE);
    return methodNotAllowed(allowed, response);
  }
}
