import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type IdempotentAttempt, IdempotencyService, type StoredAnswer } from '@platform/idempotency';
import { invalidField } from '@platform/errors';
import { LogService } from '@platform/observability';
import { type Response } from 'express';
import { from, lastValueFrom, type Observable, of } from 'rxjs';
import { errorAnswer } from './error-response';
import { type HttpRequest } from './http-request';
import { isPage } from './page.decorator';

const HEADER = 'idempotency-key';

/** Honours `Idempotency-Key` on every POST: the first answer is kept for 24 h and replayed. */
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
    // An upload is not read twice: the same length and options count as the same file.
    const begun = await this.keys.begin(scopeOf(request, key), request.uploadMark ?? request.body);
    const response = http.getResponse<Response>();
    return 'attempt' in begun ? from(this.#run(begun, request, response, next)) : replay(begun, response);
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
   * A refusal is an answer like any other. What never ran (400) or may pass by itself (5xx) is forgotten, so that the
   * client can correct it or try it again with the same key.
   */
  async #remember(attempt: IdempotentAttempt, error: unknown, request: HttpRequest): Promise<void> {
    const { status, body } = errorAnswer(error, request.formACodes ?? [], '');
    try {
      if (status > 400 && status < 500) await this.keys.finish(attempt, { status, body });
      else await this.keys.abandon(attempt);
    } catch (failure) {
      // The client is told why its request failed, not why that could not be noted.
      this.log.error('An Idempotency-Key could not be settled', failure);
    }
  }
}

/** The key means the same request only for the same holder, in the same workspace, on the same path. */
function scopeOf(request: HttpRequest, key: string): string[] {
  const owner = request.principal?.keyId ?? `address-${request.ip ?? ''}`;
  // The route and its parameters, not the URL: case, a closing slash and a query make no other request of it.
  const { path } = (request as { route?: { path?: unknown } }).route ?? {};
  return [owner, request.scope?.workspaceId ?? '', request.method, String(path), JSON.stringify(request.params), key];
}

function replay({ status, body }: StoredAnswer, response: Response): Observable<unknown> {
  response.setHeader('Idempotent-Replayed', 'true').status(status);
  return of(body);
}
