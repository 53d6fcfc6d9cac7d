import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { LogService } from '@platform/observability';
import { isDatabaseUnavailable } from '@platform/database';
import { type Request, type Response } from 'express';
import { answerLater } from './tracking-responses';

/** Shows errors as a page in the reader's language instead of JSON. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  constructor(private readonly log: LogService) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const status = error instanceof HttpException ? error.getStatus() : isDatabaseUnavailable(error) ? 503 : 500;
    if (status >= 500) this.log.error('A page failed', error);
    if (response.headersSent) response.destroy();
    else answerLater(http.getRequest<Request>(), response, status);
  }
}
