import { ApiProperty } from '@nestjs/swagger';

/** The answer to a callback, also to a repeated one. */
export class EnrichmentCallbackResponse {
  @ApiProperty({ type: 'boolean', enum: [true] })
  received!: true;
}
