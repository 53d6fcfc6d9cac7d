import { ApiProperty } from '@nestjs/swagger';
import { UrlField } from '@platform/validation';
import { isInUse, type TrackingHostRecord } from '../schemas/tracking-host.record';

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
    description: 'null: links of emails lead to the address of the platform; so they do while it is not in use.',
    example: 'https://go.example.com',
  })
  url!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When it was seen to lead here.' })
  verifiedAt!: string | null;

  @ApiProperty({
    type: 'boolean',
    description: 'Whether emails name it. false: there is none, or it does not lead here any more.',
  })
  inUse!: boolean;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'What was found there when it last did not lead here; null when it does.',
  })
  problem!: string | null;
}

type Shown = Pick<TrackingHostRecord, 'url' | 'verifiedAt' | 'failures' | 'problem'>;

export function toTrackingHost(record: Shown | null): TrackingHostResponse {
  return {
    url: record?.url ?? null,
    verifiedAt: record?.verifiedAt.toISOString() ?? null,
    inUse: record !== null && isInUse(record),
    problem: record?.problem ?? null,
  };
}
