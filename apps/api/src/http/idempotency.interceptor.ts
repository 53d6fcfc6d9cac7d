import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type IdempotentAttempt, IdempotencyService, type StoredAnswer } from '@platform/idempotency';
import { invalidField } from '@platform/errors';
import { LogService } from '@platform/observability';
import { type Response } from 'express';
import { from, lastValueFrom, type Observable, of } from 'rxjs';
import { toErrorResponse } from './error-response';
import { type HttpRequest } from './http-request';
import { isPage } from './page.decorator';

const HEADER = 'idempotency-key';

/** Supports `Idempotency-Key` on every POST: the first response is stored for 24 h and replayed. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly keys: IdempotencyService,
    private readonly log: LogService,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const key = request.method === 'POST' && !isPage(context) ? request.get(HEADER) : undefined;
    if (key === undefined) return next.handle();
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw invalidField('Idempotency-Key', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
    }
    // An upload is not read twice: equal length and options count as the same file.
    const begun = await this.keys.begin(getScope(request, key), request.uploadMark ?? request.body);
    const response = http.getResponse<Response>();
    return 'attempt' in begun ? from(this.#run(begun, request, response, next)) : replayResponse(begun, response);
  }

  async #run(
    attempt: IdempotentAttempt,
    request: HttpRequest,
    response: Response,
    next: CallHandler<unknown>,
  ): Promise<unknown> {
    const body = await this.keys
      .run(attempt, () => lastValueFrom(next.handle()))
      .catch(async (error: unknown) => {
        await this.#remember(attempt, error, request);
        throw error;
      });
    await this.keys.finish(attempt, { status: response.statusCode, body });
    return body;
  }

  /**
   * An error is stored like any other response. A request that never ran (400) or may succeed later (5xx) is forgotten,
   * so that the client can correct or retry it with the same key.
   */
  async #remember(attempt: IdempotentAttempt, error: unknown, request: HttpRequest): Promise<void> {
    const { status, body } = toErrorResponse(error, request.formACodes ?? [], '');
    try {
      if (status > 400 && status < 500) await this.keys.finish(attempt, { status, body });
      else await this.keys.abandon(attempt);
    } catch (failure) {
      // The client receives the error of its request, not the failure to store it.
      this.log.error('The outcome of an Idempotency-Key could not be stored', failure);
    }
  }
}

/** A key is valid for one holder, workspace and path only. */
function getScope(request: HttpRequest, key: string): string[] {
  const owner = request.principal?.keyId ?? `address-${request.ip ?? ''}`;
  // The route and its parameters, not the URL: case, a trailing slash and a query do not make another request.
  const { path } = (request as { route?: { path?: unknown } }).route ?? {};
  return [owner, request.scope?.workspaceId ?? '', request.method, String(path), JSON.stringify(request.params), key];
}

function replayResponse({ status, body }: StoredAnswer, response: Response): Observable<unknown> {
  response.setHeader('Idempotent-Replayed', 'true').status(status);
  return of(body);
}
