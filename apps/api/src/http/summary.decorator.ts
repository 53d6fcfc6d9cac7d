import { ApiOperation } from '@nestjs/swagger';

/** One line in the documentation that says what the route is for. */
export function Summary(summary: string): MethodDecorator {
  return ApiOperation({ summary });
}
