import { ApiProperty } from '@nestjs/swagger';
import { FlagField, IntegerField, UrlField } from '@platform/validation';
import { type EnrichmentToolRecord } from '../schemas/enrichment-tool.record';
import { MappingField, SharedSecretField, TokenField } from './tool-fields.decorator';

const MAX_URL = 2_048;
const DEFAULT_WAIT_HOURS = 24;
/** Maximum wait in hours: a job lives for seven days. */
const MOST_WAIT_HOURS = 144;

const MAPPING =
  'Maps fields of a result to fields or variables of a lead: {"title": "jobTitle", "company.name": "companyName"}.';
const WAIT = 'Hours after which a row without a result fails; its credit is released.';

/** The new settings. Omitted secrets stay unchanged. */
export class SetEnrichmentToolRequest {
  @UrlField({
    max: MAX_URL,
    optional: true,
    about: 'The webhook of the table that receives rows: http or https. Required once, and never shown again.',
  })
  webhookUrl?: string;

  @TokenField({
    about: 'Sent in x-clay-webhook-auth; null for none. Never shown again; a new address clears it.',
  })
  authToken?: string | null;

  @SharedSecretField({
    about: 'Secret of the signature in X-Enrichment-Signature; null when the tool cannot sign. Never shown again.',
  })
  signingSecret?: string | null;

  @MappingField({ about: MAPPING })
  mapping!: Record<string, string>;

  @FlagField({ optional: true, about: 'true: results replace existing values of a lead. Default: false.' })
  overwrite: boolean = false;

  @FlagField({ optional: true, about: 'false: no more rows are submitted. Default: true.' })
  enabled: boolean = true;

  @IntegerField({ min: 1, max: MOST_WAIT_HOURS, default: DEFAULT_WAIT_HOURS, optional: true, about: WAIT })
  waitHours: number = DEFAULT_WAIT_HOURS;
}

export class EnrichmentToolResponse {
  @ApiProperty({ type: 'boolean', description: 'Whether rows are submitted.' })
  enabled!: boolean;

  @ApiProperty({ type: 'string', description: 'Host that receives rows; the whole address is a secret.' })
  host!: string;

  @ApiProperty({ type: 'boolean', description: 'Whether rows are sent with a token.' })
  hasAuthToken!: boolean;

  @ApiProperty({ type: 'boolean', description: 'Whether results must be signed.' })
  hasSigningSecret!: boolean;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, description: MAPPING })
  mapping!: Record<string, string>;

  @ApiProperty({ type: 'boolean', description: 'Whether results replace existing values of a lead.' })
  overwrite!: boolean;

  @ApiProperty({ type: 'integer', description: WAIT })
  waitHours!: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updatedAt!: string;
}

export function toEnrichmentTool(record: EnrichmentToolRecord): EnrichmentToolResponse {
  return {
    enabled: record.enabled,
    host: record.host,
    hasAuthToken: record.authToken !== null,
    hasSigningSecret: record.signingSecret !== null,
    mapping: Object.fromEntries(record.mapping.map(({ from, to }) => [from, to])),
    overwrite: record.overwrite,
    waitHours: record.waitHours,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
