import { ApiProperty } from '@nestjs/swagger';
import { SELF_TEST_OUTCOMES, type SelfTestOutcome } from '../lookups/zone-self-check';
import { type BlacklistZoneRecord } from '../schemas/blacklist-zone.record';
import { type BlacklistZone, ZONE_ACCESSES, ZONE_KINDS, type ZoneAccess, type ZoneKind } from '../zones/zone';

export class SelfTestResponse {
  @ApiProperty({
    type: 'string',
    enum: SELF_TEST_OUTCOMES,
    description:
      '`broken`: it lists nothing or everything; `refused`: it refuses this installation; `silent`: it gives no answer.',
  })
  outcome!: SelfTestOutcome;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why it does not work.' })
  detail!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  testedAt!: string;
}

export class BlacklistZoneResponse {
  @ApiProperty({ type: 'string', example: 'zen.spamhaus.org' })
  zone!: string;

  @ApiProperty({ type: 'string', enum: ZONE_KINDS, description: 'Kind of subject that it lists.' })
  kind!: ZoneKind;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description: 'Severity of a listing; 0 does not count.',
  })
  weight!: number;

  @ApiProperty({ type: 'string', nullable: true, description: 'Where to request a removal.' })
  removalUrl!: string | null;

  @ApiProperty({
    type: 'string',
    enum: ZONE_ACCESSES,
    description: 'Which resolvers it answers (docs/users/deliverability.md).',
  })
  access!: ZoneAccess;

  @ApiProperty({ type: SelfTestResponse, nullable: true, description: 'null before the first test that queries it.' })
  selfTest!: SelfTestResponse | null;
}

/** Omits the suffix, which may contain the operator's key. */
export function toBlacklistZone(zone: BlacklistZone, tested: BlacklistZoneRecord | undefined): BlacklistZoneResponse {
  const { zone: name, kind, name: title, weight, removalUrl, access } = zone;
  return { zone: name, kind, name: title, weight, removalUrl, access, selfTest: tested ? toSelfTest(tested) : null };
}

function toSelfTest({ outcome, detail, testedAt }: BlacklistZoneRecord): SelfTestResponse {
  return { outcome, detail, testedAt: testedAt.toISOString() };
}
