import { ApiProperty } from '@nestjs/swagger';
import { UrlField } from '@platform/validation';
import { type TrackingHostRecord } from '../schemas/tracking-host.record';

export class SetTrackingHostRequest {
  @UrlField({
    max: 300,
    about: 'Scheme and host only. It must lead to this platform already: a CNAME, and a certificate for its name.',
    example: 'https://go.example.com',
  })
  url!: string;
}

export class TrackingHostResponse {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'null: links of emails lead to the address of the platform.',
    example: 'https://go.example.com',
  })
  url!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When it was seen to lead here.' })
  verifiedAt!: string | null;
}

export function toTrackingHost(record: TrackingHostRecord | null): TrackingHostResponse {
  return { url: record?.url ?? null, verifiedAt: record?.verifiedAt.toISOString() ?? null };
}
