import { type CanActivate, type ExecutionContext, Injectable, UnsupportedMediaTypeException } from '@nestjs/common';
import { type HttpRequest } from './http-request';

/** A body that nobody will read is refused with 415 instead of being taken for an empty one. */
@Injectable()
export class ContentTypeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    // `is` answers null for a request without a body and false for a body of another type.
    if (request.is('application/json') === false && request.get('content-length') !== '0') {
      throw new UnsupportedMediaTypeException('The Content-Type must be application/json');
    }
    return true;
  }
}
