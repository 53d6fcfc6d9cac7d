import { ApiProperty } from '@nestjs/swagger';

/** The period of a response by day. */
export class DaysResponse {
  @ApiProperty({ type: 'string', description: 'IANA zone of the days.' })
  timezone!: string;

  @ApiProperty({ type: 'string', format: 'date', description: 'The first day.' })
  from!: string;

  @ApiProperty({ type: 'string', format: 'date', description: 'The last day.' })
  to!: string;
}
