import { ApiOperation } from '@nestjs/swagger';

/** The one-line summary of a route in the documentation. */
export function Summary(summary: string): MethodDecorator {
  return ApiOperation({ summary });
}
