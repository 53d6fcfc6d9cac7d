import { applyDecorators, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from './access.decorator';

const PAGE = 'page';

/**
 * The controller serves pages, images and links for any browser or mail client, without a key, a rate limit or the
 * envelope. Body, query and Idempotency-Key are ignored, because third parties add their own. Only a compressed body is
 * rejected, as on all routes.
 */
export function Page(): ClassDecorator {
  return applyDecorators(SetMetadata(PAGE, true), Public({ rateLimited: false }), ApiExcludeController());
}

export function isPage(context: ExecutionContext): boolean {
  return Reflect.getMetadata(PAGE, context.getClass()) === true;
}
