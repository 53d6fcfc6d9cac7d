import { ApiProperty } from '@nestjs/swagger';
import { UrlField } from '@platform/validation';
import { isInUse, type TrackingHostRecord } from '../schemas/tracking-host.record';

export class SetTrackingHostRequest {
  @UrlField({
    max: 300,
    about:
      'Scheme and host only. The host must already point to this platform: a CNAME record and a certificate for its name.',
    example: 'https://go.example.com',
  })
  url!: string;
}

export class TrackingHostResponse {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'null: links in emails use the address of the platform, as they do while inUse is false.',
    example: 'https://go.example.com',
  })
  url!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When the last check succeeded.' })
  verifiedAt!: string | null;

  @ApiProperty({
    type: 'boolean',
    description: 'Whether new emails use the host. false: there is none, or its checks fail.',
  })
  inUse!: boolean;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The reason of the last failed check; null after a successful one.',
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
