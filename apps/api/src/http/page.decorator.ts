import { applyDecorators, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from './access.decorator';

const PAGE = 'page';

/**
 * The controller answers what is no API: pages, images and links for anybody's browser or mail program, without a key, a
 * limit or the envelope. Whatever body, query or Idempotency-Key comes along is not looked at: strangers add their own.
 * Only a compressed body is refused, as on all routes.
 */
export function Page(): ClassDecorator {
  return applyDecorators(SetMetadata(PAGE, true), Public({ rateLimited: false }), ApiExcludeController());
}

export function isPage(context: ExecutionContext): boolean {
  return Reflect.getMetadata(PAGE, context.getClass()) === true;
}
