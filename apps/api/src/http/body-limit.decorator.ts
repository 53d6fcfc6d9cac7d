import { SetMetadata } from '@nestjs/common';

export const BODY_LIMIT = 'bodyLimit';

/** The JSON body of this route may have so many megabytes; of any other it is one. */
export function BodyLimit(megabytes: number): MethodDecorator {
  return SetMetadata(BODY_LIMIT, megabytes);
}
