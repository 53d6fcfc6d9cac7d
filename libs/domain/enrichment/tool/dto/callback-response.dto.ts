import { ApiProperty } from '@nestjs/swagger';

/** What a tool is told about a result, the first time and every time after that. */
export class EnrichmentCallbackResponse {
  @ApiProperty({ type: 'boolean', enum: [true] })
  received!: true;
}
