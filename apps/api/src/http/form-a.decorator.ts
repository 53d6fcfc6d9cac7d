import { SetMetadata } from '@nestjs/common';

export const FORM_A_CODES = 'formACodes';

/**
 * Errors of this route with one of these codes are answered as `{error, message, code}`, as the documented contract
 * requires.
 */
export function FormA(...codes: readonly ('NOT_FOUND' | 'FORBIDDEN')[]): MethodDecorator & ClassDecorator {
  return SetMetadata(FORM_A_CODES, codes);
}
