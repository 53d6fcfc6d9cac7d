import { ApiProperty } from '@nestjs/swagger';

/** `pagination` of a cursor-style list. */
export class PaginationResponse {
  @ApiProperty({ type: 'integer', description: 'Page size used.' })
  limit!: number;

  @ApiProperty({ type: 'integer', description: 'Number of matching records.' })
  total!: number;

  @ApiProperty({ type: 'boolean', description: 'Whether another page follows.' })
  hasMore!: boolean;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Pass as `cursor` to get the next page; null on the last one.',
  })
  nextCursor!: string | null;
}

/** `pagination` of a list in pages by number. */
export class PageNumbersResponse {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Page, from 1.' })
  page!: number;

  @ApiProperty({ type: 'integer', description: 'Page size used.' })
  limit!: number;

  @ApiProperty({ type: 'integer', description: 'Number of matching records.' })
  total!: number;

  @ApiProperty({ type: 'integer', description: 'Number of pages.' })
  totalPages!: number;
}
