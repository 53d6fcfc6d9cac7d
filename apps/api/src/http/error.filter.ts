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
import { errorAnswer } from './error-response';
import { type HttpRequest } from './http-request';
import { notTaken } from './route.guard';
import { RouteTableService } from './route-table.service';

const NOTHING_HERE = 'There is nothing at this address';

/** The one place that turns errors into answers. */
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
      // A stream broke half way: the only honest signal left is a cut connection.
      this.log.error('Answer broke off', thrown);
      response.destroy();
      return;
    }
    const error = this.#unmatched(thrown, request, response);
    const errorId = randomUUID();
    const { status, body, fault } = errorAnswer(error, request.formACodes ?? [], errorId);
    if (fault) this.log.error('Request failed', error, { errorId, method: request.method });
    response.status(status).json(body);
  }

  /** The framework's own "Cannot GET /…": the guard never saw the request, so no route took it. */
  #unmatched(error: unknown, request: HttpRequest, response: Response): unknown {
    if (request.formACodes !== undefined) return error;
    // A path that cannot be percent-decoded names nothing either.
    if (error instanceof BadRequestException) return new NotFoundException(NOTHING_HERE);
    if (!(error instanceof NotFoundException)) return error;
    const allowed = this.routes.methods(request.path);
    if (allowed.length === 0) return new NotFoundException(NOTHING_HERE);
    return notTaken(allowed, response);
  }
}
