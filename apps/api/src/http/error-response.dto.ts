import { ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';

/** Form A: errors of the HTTP layer, and the codes for which the documented contract requires it. */
export class HttpErrorBody {
  @ApiProperty({ type: 'string', description: 'Text of the HTTP status.', example: 'Forbidden' })
  error!: string;

  @ApiProperty({ type: 'string' })
  message!: string;

  @ApiProperty({ type: 'integer', description: 'The HTTP status.', example: 403 })
  code!: number;

  @ApiProperty({ type: 'string', required: false, description: 'Only with 5xx: identifies the log line.' })
  errorId?: string;
}

class ErrorDetailBody {
  @ApiProperty({ type: 'string', example: 'settings.defaultRole' })
  field!: string;

  @ApiProperty({ type: 'string' })
  message!: string;
}

class ErrorFields {
  @ApiProperty({
    type: 'string',
    example: 'VALIDATION_ERROR',
    description: 'Stable code, see docs/reference/errors.md.',
  })
  code!: string;

  @ApiProperty({ type: 'string' })
  message!: string;

  @ApiProperty({ type: () => [ErrorDetailBody], required: false, description: 'The invalid fields.' })
  details?: ErrorDetailBody[];

  @ApiProperty({ type: 'string', required: false, description: 'Only with 5xx: identifies the log line.' })
  errorId?: string;
}

/** Form B: all other errors. */
export class ErrorBody {
  @ApiProperty({ type: 'boolean', enum: [false] })
  success!: false;

  @ApiProperty({ type: () => ErrorFields })
  error!: ErrorFields;
}

export const FORM_A = { $ref: getSchemaPath(HttpErrorBody) };
const FORM_B = { $ref: getSchemaPath(ErrorBody) };

export const ERROR_RESPONSES = [
  ApiResponse({ status: 401, description: 'Key missing, unknown, expired or revoked', schema: FORM_A }),
  ApiResponse({ status: 403, description: 'The key lacks the permission', schema: { oneOf: [FORM_A, FORM_B] } }),
  ApiResponse({ status: 429, description: 'Too many requests', schema: FORM_A }),
  ApiResponse({ status: '4XX', description: 'Rejected; nothing was changed', schema: { oneOf: [FORM_B, FORM_A] } }),
  ApiResponse({
    status: '5XX',
    description: 'Internal error; errorId identifies the log line',
    schema: { oneOf: [FORM_B, FORM_A] },
  }),
] as const;
