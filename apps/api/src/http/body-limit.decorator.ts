import { SetMetadata } from '@nestjs/common';

export const BODY_LIMIT = 'bodyLimit';

/** Limit of the JSON body of this route in megabytes; the default is one. */
export function BodyLimit(megabytes: number): MethodDecorator {
  return SetMetadata(BODY_LIMIT, megabytes);
}
