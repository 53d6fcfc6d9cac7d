import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { type Page } from '@platform/database';
import { map, type Observable } from 'rxjs';

/** Wraps the result of a controller: `{success, data}`, and `pagination` for a page. Streams pass through. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(map(toEnvelope));
  }
}

function toEnvelope(result: unknown): unknown {
  if (result instanceof StreamableFile) return result;
  if (isPage(result)) return { success: true, data: result.items, pagination: result.pagination };
  return { success: true, data: result };
}

function isPage(result: unknown): result is Page<unknown> {
  return typeof result === 'object' && result !== null && 'items' in result && 'pagination' in result;
}
